//! Checks what is asked before anyone is asked: ids, options, bounds, prefilled values.

use std::collections::HashSet;

use serde_json::Value;

use super::value::{self, civil};
use super::{Field, Kind, Opt};
use crate::refusal::Fault;
use crate::text::{MAX_FIELDS, MAX_LABEL, MAX_OPTIONS, MAX_PROMPT, check_length, check_name};

/// The option that core itself adds from the second round on.
pub const ACCEPT: &str = "_accept";

/// How deep variants may nest below an option.
const VARIANT_DEPTH: usize = 3;

/// Completes fields (labels) and collects every fault in them.
pub fn complete(fields: &mut [Field], faults: &mut Vec<Fault>) {
    if fields.is_empty() {
        faults.push(Fault::new("fields", "at least one field must be asked"));
    }
    if fields.len() > MAX_FIELDS {
        faults.push(Fault::new("fields", format!("{} fields; at most {MAX_FIELDS} are taken", fields.len())));
        return;
    }
    let mut ids = HashSet::new();
    for field in fields.iter_mut() {
        if !ids.insert(field.id.clone()) {
            faults.push(Fault::new(&field.id, "this field id stands twice; ids must differ"));
        }
        complete_field(field, faults);
    }
}

/// Completes options (labels) and collects every fault in them: ids present, not reserved, unique over variants.
pub fn complete_options(place: &str, options: &mut [Opt], faults: &mut Vec<Fault>) {
    let mut ids = HashSet::new();
    let mut count = 0;
    for option in options {
        complete_option(place, option, VARIANT_DEPTH, &mut ids, &mut count, faults);
    }
    if count > MAX_OPTIONS {
        faults.push(Fault::new(place, format!("{count} options; at most {MAX_OPTIONS} are taken")));
    }
}

fn complete_field(field: &mut Field, faults: &mut Vec<Fault>) {
    let before = faults.len();
    check_id("field id", &field.id, &field.id, faults);
    if field.label.is_empty() {
        field.label.clone_from(&field.id);
    }
    let id = field.id.clone();
    let mut lengths = |what: &str, text: &str, limit| {
        if let Err(why) = check_length(text, limit) {
            faults.push(Fault::new(&id, format!("{what} {why}")));
        }
    };
    lengths("label", &field.label, MAX_LABEL);
    lengths("description", field.description.as_deref().unwrap_or_default(), MAX_PROMPT);
    complete_options(&id, &mut field.options, faults);
    if field.kind.picks() && field.options.is_empty() && field.options_from.is_none() && !field.custom {
        faults.push(Fault::new(&id, format!("a {} field needs at least one option", field.kind.name())));
    }
    if !field.kind.picks() && !field.options.is_empty() {
        faults.push(Fault::new(
            &id,
            format!("a {} field takes no options; use choice or choices", field.kind.name()),
        ));
    }
    if field.custom && !field.kind.takes_custom() {
        faults.push(Fault::new(
            &id,
            format!("custom goes with choice and choices, not with {}", field.kind.name()),
        ));
    }
    check_bounds(field, faults);
    if let Some(default) = &field.default
        && faults.len() == before
        && let Err(why) = value::check(field, default)
    {
        faults.push(Fault::new(&id, format!("default: {why}")));
    }
}

fn complete_option(
    place: &str,
    option: &mut Opt,
    depth: usize,
    ids: &mut HashSet<String>,
    count: &mut usize,
    faults: &mut Vec<Fault>,
) {
    *count += 1;
    check_id("option id", place, &option.id, faults);
    if !ids.insert(option.id.clone()) {
        faults.push(Fault::new(place, format!("option id {:?} stands twice; ids must differ", option.id)));
    }
    if option.label.is_empty() {
        option.label.clone_from(&option.id);
    }
    let mut fault = |what: &str, why: String| {
        faults.push(Fault::new(place, format!("option {:?}: {what} {why}", option.id)));
    };
    for (what, text, limit) in [
        ("label", Some(&option.label), MAX_LABEL),
        ("short", option.short.as_ref(), MAX_LABEL),
        ("description", option.description.as_ref(), MAX_PROMPT),
        ("image_url", option.image_url.as_ref(), MAX_LABEL),
        ("url", option.url.as_ref(), MAX_LABEL),
    ] {
        if let Err(why) = check_length(text.map_or("", String::as_str), limit) {
            fault(what, why);
        }
    }
    if option.rating.is_some_and(|rating| !(0.0..=5.0).contains(&rating)) {
        fault("rating", "must be between 0 and 5".into());
    }
    if !option.variants.is_empty() && depth == 0 {
        fault("variants", format!("nest deeper than {VARIANT_DEPTH}"));
        return;
    }
    for variant in &mut option.variants {
        complete_option(place, variant, depth - 1, ids, count, faults);
    }
}

fn check_id(what: &str, place: &str, id: &str, faults: &mut Vec<Fault>) {
    if let Err(why) = check_name(id) {
        faults.push(Fault::new(place, format!("{what} {id:?} {why}")));
    } else if id.starts_with('_') {
        faults.push(Fault::new(place, format!("{what} {id:?} is reserved: ids must not start with _")));
    }
}

fn check_bounds(field: &Field, faults: &mut Vec<Fault>) {
    for (name, bound) in [("min", &field.min), ("max", &field.max)] {
        let Some(bound) = bound else { continue };
        let right = match field.kind {
            Kind::Number => bound.is_number(),
            Kind::Integer => bound.as_i64().is_some(),
            Kind::Choices | Kind::Products => bound.as_u64().is_some(),
            kind if kind.is_text() => bound.as_u64().is_some(),
            kind if kind.is_temporal() => bound.as_str().is_some_and(|text| civil(kind, text).is_ok()),
            _ => false,
        };
        if !right {
            faults.push(Fault::new(
                &field.id,
                format!("{name} {bound} does not fit a {} field", field.kind.name()),
            ));
        }
    }
    let crossed = match (&field.min, &field.max) {
        (Some(Value::Number(min)), Some(Value::Number(max))) => min.as_f64() > max.as_f64(),
        (Some(Value::String(min)), Some(Value::String(max))) => min > max,
        _ => false,
    };
    if crossed {
        faults.push(Fault::new(&field.id, "min is greater than max"));
    }
}
