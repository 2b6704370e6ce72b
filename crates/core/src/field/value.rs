//! Checks one value against one field; every message says what would be right.

use std::collections::HashSet;

use serde_json::Value;

use super::{Field, Kind, Opt};
use crate::text::{MAX_MESSAGE, check_length, inert_line};

/// Checks a value and returns it in the one form it is kept in.
pub fn check(field: &Field, value: &Value) -> Result<Value, String> {
    match field.kind {
        Kind::Choice => one_of(field, value),
        Kind::Confirm => one_of(field, value),
        Kind::Choices => several_of(field, value),
        Kind::Products => products(field, value),
        Kind::Text | Kind::Multiline | Kind::Email | Kind::Tel | Kind::Url => text(field, value),
        Kind::Number => number(field, value),
        Kind::Integer => integer(field, value),
        Kind::Boolean => match value {
            Value::Bool(_) => Ok(value.clone()),
            other => Err(format!("{} is neither true nor false", show(other))),
        },
        Kind::Date | Kind::Time | Kind::Datetime => temporal(field, value),
        Kind::Location => location(value),
    }
}

/// Something an answer picked: an option, and for products how many.
#[derive(Debug)]
pub struct Picked<'a> {
    /// The option, or the variant of one.
    pub option: &'a Opt,
    /// How many of it; 1 unless it is a product.
    pub quantity: u64,
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

/// Returns whether two values of a field mean the same; the order of several choices does not count.
pub fn same(kind: Kind, left: &Value, right: &Value) -> bool {
    match (kind, left, right) {
        (Kind::Choices | Kind::Products, Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().all(|item| right.contains(item))
        }
        _ => left == right,
    }
}

/// Returns the text a person wrote instead of picking, if they did.
pub fn has_custom_text(value: &Value) -> Option<&str> {
    match value {
        Value::Object(map) => map.get("text")?.as_str(),
        Value::Array(items) => items.iter().find_map(has_custom_text),
        _ => None,
    }
}

fn one_of(field: &Field, value: &Value) -> Result<Value, String> {
    match value {
        Value::String(id) if field.option(id).is_some() => Ok(value.clone()),
        Value::String(id) => {
            Err(format!("{} is not among the options: {}", show(&Value::from(id.as_str())), ids(field)))
        }
        Value::Object(_) if field.custom => custom(value),
        Value::Object(_) => Err(format!("free text is not taken here; choose one of: {}", ids(field))),
        Value::Array(_) => Err("takes one option, not a list".into()),
        other => Err(format!("{} is not an option id; choose one of: {}", show(other), ids(field))),
    }
}

fn several_of(field: &Field, value: &Value) -> Result<Value, String> {
    let Value::Array(items) = value else {
        return Err(format!("{} is not a list of option ids", show(value)));
    };
    let mut kept: Vec<Value> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    for item in items {
        let item = one_of(field, item)?;
        if seen.insert(item.to_string()) {
            kept.push(item);
        }
    }
    if kept.is_empty() {
        return Err(if field.required {
            format!("choose at least one of: {}", ids(field))
        } else {
            "an empty list chooses nothing; leave the field out instead".into()
        });
    }
    within(field, kept.len() as u64, "choices")?;
    Ok(Value::Array(kept))
}

fn products(field: &Field, value: &Value) -> Result<Value, String> {
    const MOST: u64 = 1_000_000;
    let Value::Array(items) = value else {
        return Err(format!("{} is not a list of {{\"id\", \"quantity\"}}", show(value)));
    };
    if items.is_empty() {
        return Err(format!("choose at least one of: {}", ids(field)));
    }
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let (id, quantity) = match item {
            Value::String(id) => (id.as_str(), None),
            Value::Object(map) => {
                if let Some(key) = map.keys().find(|key| !matches!(key.as_str(), "id" | "quantity")) {
                    return Err(format!("key {key:?} is unknown; a product is {{\"id\", \"quantity\"}}"));
                }
                let id = map.get("id").and_then(Value::as_str).ok_or("a product needs an \"id\"")?;
                (id, map.get("quantity"))
            }
            other => return Err(format!("{} is not a product; use {{\"id\", \"quantity\"}}", show(other))),
        };
        if field.option(id).is_none() {
            return Err(format!("{} is not among the options: {}", show(&Value::from(id)), ids(field)));
        }
        let quantity = match quantity {
            None => 1,
            Some(number) => number.as_u64().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| {
                format!("quantity {} of {id:?} must be a whole number from 1 to {MOST}", show(number))
            })?,
        };
        if !seen.insert(id) {
            return Err(format!("{id:?} stands twice; give one entry with the whole quantity"));
        }
        kept.push(serde_json::json!({ "id": id, "quantity": quantity }));
    }
    within(field, kept.len() as u64, "products")?;
    Ok(Value::Array(kept))
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
        return Err("must not be empty".into());
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

fn number(field: &Field, value: &Value) -> Result<Value, String> {
    let number = value.as_f64().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| format!("{} is not a number", show(value)))?;
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_f64);
    if bound(&field.min).is_some_and(|min| number < min) || bound(&field.max).is_some_and(|max| number > max)
    {
        return Err(format!("{value} is not {}", range(field)));
    }
    if crate::json::inexact_number(value).is_some() {
        return Err(format!("{value} is beyond 2^53, where numbers lose digits"));
    }
    Ok(value.clone())
}

fn integer(field: &Field, value: &Value) -> Result<Value, String> {
    let number = value.as_f64().filter(|number| number.is_finite() && number.fract() == 0.0);
    let number = number.ok_or_else(|| format!("{} is not a whole number", show(value)))?;
    let checked = self::number(field, value)?;
    // 3.0 is kept as 3, so that the same answer has one form.
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53 by the checks above")]
    Ok(if checked.is_f64() { Value::from(number as i64) } else { checked })
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

/// Reads a date, time or datetime in its one exact form.
pub(super) fn civil(kind: Kind, text: &str) -> Result<String, String> {
    let wrong =
        || format!("{:?} is not a {} that exists; use {}", inert_line(text), kind.name(), shape(kind));
    let pattern = match kind {
        Kind::Date => "dddd-dd-dd",
        Kind::Time => "dd:dd:dd",
        _ => "dddd-dd-ddTdd:dd:dd",
    };
    let shaped = text.len() == pattern.len()
        && text
            .bytes()
            .zip(pattern.bytes())
            .all(|(c, p)| if p == b'd' { c.is_ascii_digit() } else { c == p });
    if !shaped {
        return Err(wrong());
    }
    let exists = match kind {
        Kind::Date => text.parse::<jiff::civil::Date>().is_ok(),
        Kind::Time => text.parse::<jiff::civil::Time>().is_ok(),
        _ => text.parse::<jiff::civil::DateTime>().is_ok(),
    };
    // A leap second parses, but is no time of a clock that people set.
    if exists && !text.ends_with(":60") { Ok(text.to_owned()) } else { Err(wrong()) }
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
    Ok(value.clone())
}

fn within(field: &Field, count: u64, what: &str) -> Result<(), String> {
    let bound = |bound: &Option<Value>| bound.as_ref().and_then(Value::as_u64);
    if bound(&field.min).is_some_and(|min| count < min) || bound(&field.max).is_some_and(|max| count > max) {
        Err(format!("{count} {what}, but must be {}", range(field)))
    } else {
        Ok(())
    }
}

fn range(field: &Field) -> String {
    let plain = |bound: &Value| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned);
    match (&field.min, &field.max) {
        (Some(min), Some(max)) => format!("from {} to {}", plain(min), plain(max)),
        (Some(min), None) => format!("at least {}", plain(min)),
        (None, Some(max)) => format!("at most {}", plain(max)),
        (None, None) => "in range".into(),
    }
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Date => "YYYY-MM-DD",
        Kind::Time => "HH:MM:SS",
        _ => "YYYY-MM-DDTHH:MM:SS",
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control() || c == '@')
    };
    plain(local)
        && text.len() <= 254
        && plain(domain)
        && domain.contains('.')
        && domain
            .split('.')
            .all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
}

fn is_tel(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let allowed = |(at, c): (usize, char)| {
        c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.' | '/') || (c == '+' && at == 0)
    };
    (3..=20).contains(&digits) && text.chars().enumerate().all(allowed)
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    host.is_some_and(|host| !host.is_empty()) && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Lists the ids that can be chosen, as many as fit a message.
fn ids(field: &Field) -> String {
    const SHOWN: usize = 12;
    let all: Vec<&str> = field.all_options().map(|option| option.id.as_str()).collect();
    let mut list = all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN {
        list.push_str(&format!(" … ({} in all)", all.len()));
    }
    inert_line(&list)
}

/// Shows a value in a message: on one line, inert, not too long.
fn show(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = inert_line(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
