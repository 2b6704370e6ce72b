//! Fields and values as text for people.

use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Field, Kind, Values, field};
use jiff::civil::{Date, DateTime};
use serde_json::Value;

use super::form::{Form, words_of};
use super::token::{Token, is_among, tokens};

/// Lists values as a person reads them, in the order of the form.
pub fn shown(form: &Form, values: &Values) -> Vec<(String, String)> {
    let of_field = |field: &Field| Some((called(field), value(field, values.get(&field.id)?)));
    form.fields.iter().filter_map(of_field).collect()
}

/// Returns what a field is called in a sentence: its label. Of one that asks or orders the words of its id are enough, where
/// those that tell something stand in it: `leave type` for `Which type of leave do you need?`.
pub(super) fn called(field: &Field) -> String {
    const LONGEST: usize = 60;
    const KINDS: &str = "date day time number type kind id no been have has had is was the your do does";
    let (label, id) = (inert_line(&field.label), name(&field.id));
    let said: Vec<String> = tokens(&label).iter().map(|token| token.stem().to_owned()).collect();
    let telling: Vec<Token> = tokens(&id).into_iter().filter(|token| !token.is(KINDS)).collect();
    let short =
        !telling.is_empty() && telling.iter().all(|token| said.iter().any(|word| word == token.stem()));
    if label.is_empty() || field.label == field.id || !is_name(&label) && short {
        return id;
    }
    let whole = label.trim_end_matches(['?', '.', '!', ':', '…', ' ']);
    let cut = start(whole, LONGEST);
    if cut.len() < whole.len() { format!("{}…", cut.trim_end()) } else { whole.to_owned() }
}

/// Returns whether a label names something, and does not ask or order.
fn is_name(label: &str) -> bool {
    const ORDERS: &str =
        "please choose enter select pick give describe tell type state provide say which what when where who";
    let words: Vec<&str> = label.split_whitespace().collect();
    let orders = words.first().is_none_or(|first| is_among(&first.to_lowercase(), ORDERS));
    !orders && words.len() <= 4 && label.chars().count() <= 40 && !label.ends_with(['?', '.', '!', ':', '…'])
}

/// Returns a field's id as words.
pub(super) fn name(id: &str) -> String {
    inert_line(&words_of(id))
}

/// Returns a value as a person reads it; dates so that they cannot be taken for others.
pub(super) fn value(known: &Field, value: &Value) -> String {
    let picked = field::picked(known, value);
    if !picked.is_empty() {
        let labels: Vec<String> = picked.iter().map(|picked| inert_line(&picked.option.label)).collect();
        return labels.join(", ");
    }
    match (known.kind, value) {
        (Kind::Date, Value::String(text)) => text.parse().map_or_else(|_| inert_line(text), day),
        (Kind::Datetime, Value::String(text)) => text.parse::<DateTime>().map_or_else(
            |_| inert_line(text),
            |at| format!("{} at {:02}:{:02}", day(at.date()), at.hour(), at.minute()),
        ),
        (Kind::Time, Value::String(text)) => inert_line(text.strip_suffix(":00").unwrap_or(text)),
        (Kind::Boolean, Value::Bool(said)) => if *said { "yes" } else { "no" }.to_owned(),
        (Kind::Location, place) => format!("{}, {}", place["lat"], place["lng"]),
        (_, Value::Number(number)) => match unit(known) {
            Some(unit) => format!("{number} {unit}"),
            None => number.to_string(),
        },
        (_, Value::String(text)) => holdpoint_core::text::quote(text),
        (_, other) => {
            field::has_custom_text(other).map_or_else(|| inert_line(&other.to_string()), inert_line)
        }
    }
}

/// Returns the unit of a field, if it has one.
pub(super) fn unit(field: &Field) -> Option<String> {
    field.extra.get("unit").and_then(Value::as_str).map(inert_line).filter(|unit| !unit.is_empty())
}

/// Returns a field's question, with its unit.
pub(super) fn question(field: &Field) -> String {
    let unit = unit(field).filter(|unit| !field.label.to_lowercase().contains(&unit.to_lowercase()));
    unit.map_or_else(|| field.label.clone(), |unit| format!("{} ({unit})", field.label))
}

/// Returns a day with its weekday, month and year in words.
pub(super) fn day(date: Date) -> String {
    const DAYS: &str = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
    const MONTHS: &str =
        "January February March April May June July August September October November December";
    let at = |list: &'static str, number: i8| {
        usize::try_from(number - 1).ok().and_then(|at| list.split(' ').nth(at)).unwrap_or("")
    };
    let weekday = at(DAYS, date.weekday().to_monday_one_offset());
    format!("{weekday} {} {} {}", date.day(), at(MONTHS, date.month()), date.year())
}

/// Returns a text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
