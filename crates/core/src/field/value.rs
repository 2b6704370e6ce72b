//! Checks one value against one field; every message tells what would be right.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Number, Value};

use super::format::{civil, is_email, is_tel, is_url, shape};
use super::{Field, Kind, Opt};
use crate::json::whole_number;
use crate::text::{MAX_MESSAGE, check_length, inert_line, quote};

/// Checks a value and returns it in normal form.
pub fn check(field: &Field, value: &Value) -> Result<Value, String> {
    match field.kind {
        Kind::Choice | Kind::Confirm => one_of(field, value, |id| field.option(id).is_some()),
        Kind::Choices => several_of(field, value),
        Kind::Products => products(field, value),
        Kind::Text | Kind::Multiline | Kind::Email | Kind::Tel | Kind::Url => text(field, value),
        Kind::Number => number(field, &numeral(value)),
        Kind::Integer => integer(field, &numeral(value)),
        Kind::Boolean => match value {
            Value::Bool(_) => Ok(value.clone()),
            other => Err(format!("{} is neither true nor false", show(other))),
        },
        Kind::Date | Kind::Time | Kind::Datetime => temporal(field, value),
        Kind::Location => location(value),
    }
}

/// An option that an answer picked, with the quantity of a product.
#[derive(Debug)]
pub struct Picked<'a> {
    /// The option, or the variant of one.
    pub option: &'a Opt,
    /// The quantity; 1 unless it is a product.
    pub quantity: u64,
}

/// Returns the value by which a field that offers options picks one of them.
pub fn picking(field: &Field, option: &str) -> Value {
    match field.kind {
        Kind::Choices => serde_json::json!([option]),
        Kind::Products => serde_json::json!([{ "id": option, "quantity": 1 }]),
        _ => Value::String(option.to_owned()),
    }
}

/// Lists the options that a checked value picks.
pub fn picked<'a>(field: &'a Field, value: &Value) -> Vec<Picked<'a>> {
    if !field.kind.picks() {
        return Vec::new();
    }
    let items = match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let pick = |item: &Value| {
        let (id, quantity) = match item {
            Value::String(id) => (id.as_str(), 1),
            Value::Object(map) => {
                (map.get("id")?.as_str()?, map.get("quantity").and_then(Value::as_u64).unwrap_or(1))
            }
            _ => return None,
        };
        field.option(id).map(|option| Picked { option, quantity })
    };
    items.iter().filter_map(pick).collect()
}

/// Returns whether two values of a field are equal; the order of several choices does not matter.
pub fn same(kind: Kind, left: &Value, right: &Value) -> bool {
    match (kind, left, right) {
        (Kind::Choices | Kind::Products, Value::Array(left), Value::Array(right)) => {
            let set = |items: &[Value]| items.iter().map(Value::to_string).collect::<HashSet<_>>();
            set(left) == set(right)
        }
        _ => left == right,
    }
}

/// Returns the free text that was given instead of an option, if any.
pub fn has_custom_text(value: &Value) -> Option<&str> {
    match value {
        Value::Object(map) => map.get("text")?.as_str(),
        Value::Array(items) => items.iter().find_map(has_custom_text),
        _ => None,
    }
}

fn one_of(field: &Field, value: &Value, known: impl Fn(&str) -> bool) -> Result<Value, String> {
    match value {
        Value::String(id) if known(id) => Ok(value.clone()),
        Value::String(_) if field.options.is_empty() && field.custom => {
            Err("no options are offered; free text is given as {\"text\": \"…\"}".into())
        }
        Value::String(_) if field.options.is_empty() => Err("no options are offered yet".into()),
        Value::String(_) => Err(format!("{} is not among the options: {}", show(value), ids(field))),
        Value::Object(_) if field.custom => custom(value),
        Value::Object(_) => Err(format!("free text is not accepted here; choose one of: {}", ids(field))),
        Value::Array(_) if field.kind == Kind::Choices => {
            Err("must be a list of option ids, not of lists".into())
        }
        Value::Array(_) => Err("must be one option, not a list".into()),
        other => Err(format!("{} is not an option id; choose one of: {}", show(other), ids(field))),
    }
}

fn several_of(field: &Field, value: &Value) -> Result<Value, String> {
    let Value::Array(items) = value else {
        return Err(format!("{} is not a list of option ids", show(value)));
    };
    let known = option_ids(field);
    let mut kept: Vec<Value> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    for item in items {
        let item = one_of(field, item, |id| known.contains(id))?;
        if seen.insert(item.to_string()) {
            kept.push(item);
        }
    }
    counted(field, kept, "choices")
}

/// Returns the ids as a set, because a long list may be answered with a long list.
fn option_ids(field: &Field) -> HashSet<&str> {
    field.all_options().map(|option| option.id.as_str()).collect()
}

/// Checks how many were picked. Only an optional field may be answered with none.
fn counted(field: &Field, kept: Vec<Value>, what: &str) -> Result<Value, String> {
    match (kept.is_empty(), field.required) {
        (true, true) => Err(format!("choose at least one of: {}", ids(field))),
        (true, false) => Ok(Value::Array(kept)),
        (false, _) => within(field, kept.len() as u64, what).map(|()| Value::Array(kept)),
    }
}

fn products(field: &Field, value: &Value) -> Result<Value, String> {
    const MOST: i64 = 1_000_000;
    let Value::Array(items) = value else {
        return Err(format!("{} is not a list of {{\"id\", \"quantity\"}}", show(value)));
    };
    let known = option_ids(field);
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let (id, quantity) = match item {
            Value::String(id) => (id.as_str(), None),
            Value::Object(map) => {
                if let Some(key) = map.keys().find(|key| !matches!(key.as_str(), "id" | "quantity")) {
                    return Err(format!(
                        "key {} is unknown; a product is {{\"id\", \"quantity\"}}",
                        quote(key)
                    ));
                }
                let id = map.get("id").and_then(Value::as_str).ok_or("a product needs an \"id\"")?;
                (id, map.get("quantity"))
            }
            other => return Err(format!("{} is not a product; use {{\"id\", \"quantity\"}}", show(other))),
        };
        if !known.contains(id) {
            return Err(format!("{} is not among the options: {}", quote(id), ids(field)));
        }
        let quantity = quantity.map_or(Some(1), |given| given.as_number().and_then(whole_number));
        let Some(quantity) = quantity.filter(|quantity| (1..=MOST).contains(quantity)) else {
            let given = item.get("quantity").map(show).unwrap_or_default();
            return Err(format!("quantity {given} of {} must be a whole number from 1 to {MOST}", quote(id)));
        };
        if !seen.insert(id) {
            return Err(format!("{} occurs twice; give one entry with the whole quantity", quote(id)));
        }
        kept.push(serde_json::json!({ "id": id, "quantity": quantity }));
    }
    counted(field, kept, "products")
}

fn custom(value: &Value) -> Result<Value, String> {
    let map = value.as_object().filter(|map| map.len() == 1);
    let text = map.and_then(|map| map.get("text")).and_then(Value::as_str);
    match text {
        Some(text) if text.trim().is_empty() => Err("the text must not be empty".into()),
        Some(text) => check_length(text, MAX_MESSAGE).map(|()| value.clone()),
        None => Err("free text is given as {\"text\": \"…\"}".into()),
    }
}

fn text(field: &Field, value: &Value) -> Result<Value, String> {
    let Value::String(text) = value else {
        return Err(format!("{} is not a text", show(value)));
    };
    if text.trim().is_empty() {
        let instead = if field.required { "" } else { "; leave it out instead" };
        return Err(format!("must not be empty{instead}"));
    }
    check_length(text, crate::text::MAX_PROMPT)?;
    within(field, text.chars().count() as u64, "characters")?;
    match field.kind {
        Kind::Email if !is_email(text) => {
            Err(format!("{} is not an e-mail address like ana@example.org", show(value)))
        }
        Kind::Tel if !is_tel(text) => {
            Err(format!("{} is not a telephone number like +49 30 123456", show(value)))
        }
        Kind::Url if !is_url(text) => Err(format!("{} is not an http or https address", show(value))),
        Kind::Text | Kind::Email | Kind::Tel | Kind::Url if text.contains(['\n', '\r']) => {
            Err("must be on one line".into())
        }
        _ => Ok(value.clone()),
    }
}

/// Reads a number given as text, as forms and some protocols do. Any other value is returned unchanged.
fn numeral(value: &Value) -> Cow<'_, Value> {
    const LONGEST: usize = 100;
    let given = value.as_str().map(str::trim).filter(|text| text.len() <= LONGEST);
    // Only digits and signs: infinity and NaN are not accepted.
    let digits =
        given.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)));
    let read = digits.and_then(|text| {
        let whole = text.parse::<i64>().ok().map(Value::from);
        whole.or_else(|| text.parse().ok().and_then(Number::from_f64).map(Value::Number))
    });
    read.map_or(Cow::Borrowed(value), Cow::Owned)
}

fn number(field: &Field, value: &Value) -> Result<Value, String> {
    let number = value.as_f64().ok_or_else(|| format!("{} is not a number", show(value)))?;
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_f64);
    let is_below = |min: f64| if field.exclusive_min { number <= min } else { number < min };
    let is_above = |max: f64| if field.exclusive_max { number >= max } else { number > max };
    if bound(&field.min).is_some_and(is_below) || bound(&field.max).is_some_and(is_above) {
        return Err(format!("{} is not {}", show(value), range(field)));
    }
    exact(value)
}

fn integer(field: &Field, value: &Value) -> Result<Value, String> {
    if value.as_f64().is_none_or(|number| number.fract() != 0.0) {
        return Err(format!("{} is not a whole number", show(value)));
    }
    let kept = number(field, value)?;
    if kept.is_i64() { Ok(kept) } else { Err(lossy(value)) }
}

/// Stores 3.0 as 3, so that equal answers have one form; refuses numbers that cannot be stored exactly.
fn exact(value: &Value) -> Result<Value, String> {
    let mut kept = value.clone();
    crate::json::settle(&mut kept).map(|()| kept).map_err(|_| lossy(value))
}

fn lossy(value: &Value) -> String {
    format!("{} is beyond 2^53, where numbers lose digits", show(value))
}

fn temporal(field: &Field, value: &Value) -> Result<Value, String> {
    let Value::String(text) = value else {
        return Err(format!("{} is not a {}; use {}", show(value), field.kind.name(), shape(field.kind)));
    };
    let kept = civil(field.kind, text)?;
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_str).map(str::to_owned);
    if bound(&field.min).is_some_and(|min| kept < min) || bound(&field.max).is_some_and(|max| kept > max) {
        return Err(format!("{kept} is not {}", range(field)));
    }
    Ok(Value::String(kept))
}

fn location(value: &Value) -> Result<Value, String> {
    let shape = "use {\"lat\": -90…90, \"lng\": -180…180}";
    let map = value.as_object().ok_or_else(|| format!("{} is not a location; {shape}", show(value)))?;
    if map.len() != 2 {
        return Err(format!("a location has exactly lat and lng; {shape}"));
    }
    for (key, most) in [("lat", 90.0), ("lng", 180.0)] {
        let number =
            map.get(key).and_then(Value::as_f64).ok_or_else(|| format!("{key} must be a number; {shape}"))?;
        if !(-most..=most).contains(&number) {
            return Err(format!("{key} {number} is out of range; {shape}"));
        }
    }
    exact(value)
}

fn within(field: &Field, count: u64, what: &str) -> Result<(), String> {
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_u64);
    if bound(&field.min).is_some_and(|min| count < min) || bound(&field.max).is_some_and(|max| count > max) {
        Err(format!("{count} {what}, but must be {}", range(field)))
    } else {
        Ok(())
    }
}

/// Describes the values between the bounds of a field: `from 1 to 9`, `more than 0 and at most 9`.
pub fn range(field: &Field) -> String {
    let plain = |bound: &Value| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned);
    let least = if field.exclusive_min { "more than" } else { "at least" };
    let most = if field.exclusive_max { "less than" } else { "at most" };
    match (field.min.as_ref().map(plain), field.max.as_ref().map(plain)) {
        (Some(min), Some(max)) if field.exclusive_min || field.exclusive_max => {
            format!("{least} {min} and {most} {max}")
        }
        (Some(min), Some(max)) => format!("from {min} to {max}"),
        (Some(min), None) => format!("{least} {min}"),
        (None, Some(max)) => format!("{most} {max}"),
        (None, None) => "in range".into(),
    }
}

/// Lists the ids of the first options, for a message.
fn ids(field: &Field) -> String {
    const SHOWN: usize = 12;
    let all: Vec<&str> = field.all_options().map(|option| option.id.as_str()).collect();
    let list = inert_line(&all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", "));
    if all.len() > SHOWN { format!("{list} … ({} in all)", all.len()) } else { list }
}

/// Formats a value for a message: on one line, inert, not too long.
pub(super) fn show(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = inert_line(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
