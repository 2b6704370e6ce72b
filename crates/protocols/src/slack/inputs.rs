//! The inputs of a field in a modal: one, or several where a value has parts.

use std::collections::HashSet;

use holdpoint_core::field::{Field, Kind, Opt};
use holdpoint_core::text::inert_line;
use serde_json::{Value, json};

use super::form::MOST_WORDS;
use super::message::LABEL;
use super::text::plain;
use crate::channel::{length, shortened};

/// How many options are shown as radio buttons, and how many in a list.
const RADIOS: usize = 10;
const LISTED: usize = 100;

/// Returns whether a field has inputs in a modal.
pub(super) fn is_drawable(field: &Field) -> bool {
    let options = labelled(field);
    let most = if field.kind == Kind::Products { RADIOS } else { LISTED };
    match field.kind {
        kind if kind.picks() => {
            (1..=most).contains(&options.len()) && are_legible(&options) && field.options_from.is_none()
        }
        _ => true,
    }
}

/// Returns whether labels are shown completely, and are distinct.
fn are_legible(options: &[(String, &Opt)]) -> bool {
    let mut seen = HashSet::new();
    options.iter().all(|(label, _)| length(label) <= LABEL && seen.insert(label.to_lowercase()))
}

/// Lists the options of a field with their variants, each with its full name and its id.
pub(super) fn labelled(field: &Field) -> Vec<(String, &Opt)> {
    fn walk<'a>(options: &'a [Opt], before: &str, out: &mut Vec<(String, &'a Opt)>) {
        for option in options {
            let label = if option.label.trim().is_empty() { &option.id } else { &option.label };
            let label = format!("{before}{}", inert_line(label));
            out.push((label.clone(), option));
            walk(&option.variants, &format!("{label}: "), out);
        }
    }
    let mut out = Vec::new();
    walk(&field.options, "", &mut out);
    out
}

/// Returns the inputs of the field at an index, filled with a value. `watched` means that other fields depend on it;
/// `no_only` that only options that decline are offered.
pub(super) fn inputs(
    at: usize,
    field: &Field,
    value: Option<&Value>,
    watched: bool,
    no_only: bool,
) -> Vec<Value> {
    let label = if field.label.trim().is_empty() { &field.id } else { &field.label };
    let label = inert_line(label);
    let input = |part: &str, label: &str, optional: bool, element: Value| {
        let mut element = element;
        element["action_id"] = json!("v");
        let mut block = json!({
            "type": "input", "block_id": format!("f{at}{part}"), "label": plain(label, 2_000),
            "optional": optional, "dispatch_action": watched, "element": element,
        });
        if part.is_empty()
            && let Some(hint) = field.description.as_deref().filter(|hint| !hint.trim().is_empty())
        {
            block["hint"] = plain(&inert_line(hint), 2_000);
        }
        block
    };
    let optional = !field.required;
    let text = value.and_then(Value::as_str);
    match field.kind {
        Kind::Choice | Kind::Confirm => {
            let offered = |(_, (_, option)): &(usize, (String, &Opt))| !no_only || option.refuses;
            let options: Vec<_> = labelled(field).into_iter().enumerate().filter(offered).collect();
            let mut blocks = vec![input(
                "",
                &label,
                optional || field.custom,
                one_of(&options, &|option| Some(&*option.id) == text),
            )];
            if field.custom && !no_only {
                let written = value.and_then(holdpoint_core::field::has_custom_text);
                blocks.push(input(".text", "Or in your own words", true, typed("plain_text_input", written)));
            }
            blocks
        }
        Kind::Choices => {
            let chosen = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let options: Vec<_> = labelled(field).into_iter().enumerate().collect();
            let is_chosen = |option: &Opt| chosen.iter().any(|one| one.as_str() == Some(&option.id));
            let mut blocks =
                vec![input("", &label, optional || field.custom, several_of(&options, &is_chosen))];
            if field.custom {
                let written = value.and_then(holdpoint_core::field::has_custom_text);
                blocks.push(input(".text", "Or in your own words", true, typed("plain_text_input", written)));
            }
            blocks
        }
        Kind::Products => {
            let chosen = value.map(|value| holdpoint_core::field::picked(field, value)).unwrap_or_default();
            let quantity = |option: &Opt| chosen.iter().find(|one| one.option.id == option.id);
            let line = |(place, (name, option)): (usize, (String, &Opt))| {
                let quantity = quantity(option).map(|one| one.quantity.to_string());
                let mut element = typed("number_input", quantity.as_deref());
                element["is_decimal_allowed"] = json!(false);
                element["min_value"] = json!("0");
                input(&format!(".{place}"), &format!("{label}: how many {name}"), true, element)
            };
            labelled(field).into_iter().enumerate().map(line).collect()
        }
        Kind::Boolean => {
            let (yes, no) = (Opt::new("true", "Yes"), Opt::new("false", "No"));
            let options = vec![(0, ("Yes".to_owned(), &yes)), (1, ("No".to_owned(), &no))];
            let chosen = value.and_then(Value::as_bool).map(|value| value.to_string());
            vec![input("", &label, optional, one_of(&options, &|option| Some(&option.id) == chosen.as_ref()))]
        }
        Kind::Text | Kind::Tel => vec![input("", &label, optional, typed("plain_text_input", text))],
        Kind::Multiline => {
            let mut element = typed("plain_text_input", text);
            element["multiline"] = json!(true);
            vec![input("", &label, optional, element)]
        }
        Kind::Email => vec![input("", &label, optional, typed("email_text_input", text))],
        Kind::Url => vec![input("", &label, optional, typed("url_text_input", text))],
        Kind::Number | Kind::Integer => {
            let number = value.map(|value| text.map_or_else(|| value.to_string(), str::to_owned));
            let mut element = typed("number_input", number.as_deref());
            element["is_decimal_allowed"] = json!(field.kind == Kind::Number);
            for (name, bound) in [("min_value", &field.min), ("max_value", &field.max)] {
                if let Some(bound) = bound.as_ref().filter(|bound| bound.is_number()) {
                    element[name] = json!(bound.to_string());
                }
            }
            vec![input("", &label, optional, element)]
        }
        Kind::Date => vec![input("", &label, optional, picker("datepicker", "initial_date", text))],
        Kind::Time => {
            vec![input("", &label, optional, picker("timepicker", "initial_time", text.and_then(minutes)))]
        }
        Kind::Datetime => {
            let (date, time) = text.and_then(|text| text.split_once('T')).unzip();
            let time = time.and_then(minutes);
            vec![
                input("", &label, optional, picker("datepicker", "initial_date", date)),
                input(
                    ".time",
                    &format!("{label}: time"),
                    optional,
                    picker("timepicker", "initial_time", time),
                ),
            ]
        }
        Kind::Location => {
            let part = |key: &str, suffix: &str, name: &str, most: &str| {
                let start = value.and_then(|value| value.get(key)).map(Value::to_string);
                let mut element = typed("number_input", start.as_deref());
                element["is_decimal_allowed"] = json!(true);
                element["min_value"] = json!(format!("-{most}"));
                element["max_value"] = json!(most);
                input(suffix, &format!("{label}: {name}"), optional, element)
            };
            vec![part("lat", "", "latitude", "90"), part("lng", ".lng", "longitude", "180")]
        }
    }
}

type Numbered<'a> = (usize, (String, &'a Opt));

fn options(options: &[Numbered]) -> Vec<Value> {
    let one = |(at, (label, _)): &Numbered| json!({ "text": plain(label, LABEL), "value": format!("o{at}") });
    options.iter().map(one).collect()
}

fn one_of(offered: &[Numbered], is_chosen: &dyn Fn(&Opt) -> bool) -> Value {
    let options = options(offered);
    let chosen = offered.iter().position(|(_, (_, option))| is_chosen(option));
    let mut element = if options.len() <= RADIOS {
        json!({ "type": "radio_buttons", "options": options })
    } else {
        json!({ "type": "static_select", "placeholder": plain("Choose one", 150), "options": options })
    };
    if let Some(chosen) = chosen {
        element["initial_option"] = options[chosen].clone();
    }
    element
}

fn several_of(offered: &[Numbered], is_chosen: &dyn Fn(&Opt) -> bool) -> Value {
    let options = options(offered);
    let chosen = offered.iter().zip(&options).filter(|((_, (_, option)), _)| is_chosen(option));
    let chosen: Vec<Value> = chosen.map(|(_, option)| option.clone()).collect();
    let mut element = if options.len() <= RADIOS {
        json!({ "type": "checkboxes", "options": options })
    } else {
        json!({ "type": "multi_static_select", "placeholder": plain("Choose", 150), "options": options })
    };
    if !chosen.is_empty() {
        element["initial_options"] = json!(chosen);
    }
    element
}

fn typed(kind: &str, start: Option<&str>) -> Value {
    let mut element = json!({ "type": kind });
    if let Some(start) = start.filter(|start| !start.is_empty()) {
        element["initial_value"] = json!(shortened(start, MOST_WORDS));
    }
    element
}

fn picker(kind: &str, name: &str, start: Option<&str>) -> Value {
    let mut element = json!({ "type": kind });
    if let Some(start) = start {
        element[name] = json!(start);
    }
    element
}

/// Returns a time in Slack's format, without seconds.
fn minutes(time: &str) -> Option<&str> {
    time.get(..5)
}
