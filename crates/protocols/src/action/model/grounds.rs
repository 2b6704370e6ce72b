//! Whether a value that a model gives is one that the person stated: the words that it points to must stand in the message.
//!
//! Addresses, telephone numbers and places must stand there figure by figure, for a model knows many that nobody gave it; a
//! person's words stay a person's words. A number and a date must be in those words as the built-in reader reads them, words
//! that name an option give no other one, and words that deny give no yes.

use holdpoint_core::{Field, Kind, Values, field};
use serde_json::Value;

use super::super::form::poles;
use super::super::reader::{self, Guard, Question, Reading};

/// Returns the value as the person stated it; none, if nothing that they said carries it.
pub(super) fn stated(question: &Question<'_>, known: &Field, value: Value, words: &str) -> Option<Value> {
    let text = question.text;
    if words.is_empty() || !contains(text, words) {
        return None;
    }
    let said = value.as_str().unwrap_or_default();
    match known.kind {
        Kind::Text | Kind::Multiline if contains(words, said) => Some(value),
        Kind::Text | Kind::Multiline => field::check(known, &Value::from(words)).ok(),
        Kind::Email | Kind::Url => contains(text, said).then_some(value),
        Kind::Tel => figures(text).contains(&figures(said)).then_some(value),
        Kind::Location => is_written(&value, words).then_some(value),
        _ if poles(known).is_some_and(|(yes, _)| yes == value) => {
            let denies = |(guard, _): &(Guard, String)| *guard == Guard::Negation;
            (!read(known, words, question).guards.iter().any(denies)).then_some(value)
        }
        _ if poles(known).is_some() => Some(value),
        _ => {
            if let Some(own) = field::has_custom_text(&value) {
                return contains(words, own).then_some(value);
            }
            // In `from 2 to 4 March` the month of the 2nd stands elsewhere.
            let day = value.as_str().and_then(|text| text.get(8..10)?.parse::<u8>().ok());
            let mut runs = words.split(|c: char| !c.is_ascii_digit()).map(|run| run.parse().ok());
            let dated = known.kind.is_temporal() && day.is_some() && runs.any(|run| run == day);
            let said = says(known, &value, words, question) || dated && says(known, &value, text, question);
            said.then_some(value)
        }
    }
}

/// Returns whether the built-in reader finds a value in some words, or in a part of them.
fn says(known: &Field, value: &Value, words: &str, question: &Question<'_>) -> bool {
    let items = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let parts = words.split([',', ';', '.', '\n']).chain(words.split(" and ")).chain(words.split(" but "));
    let mut found: Vec<Value> = Vec::new();
    for part in std::iter::once(words).chain(parts) {
        let reading = read(known, part, question);
        found.extend(reading.taken.iter().flat_map(|taken| items(&taken.value)));
        found.extend(reading.unsure.iter().flat_map(|unsure| &unsure.values).flat_map(items));
    }
    // What other words mean is the model's to say, but not where they name another option.
    if known.kind.picks() && found.is_empty() {
        return true;
    }
    items(value).iter().all(|item| found.iter().any(|found| field::same(known.kind, found, item)))
}

/// Reads some words as an answer to one field.
fn read(known: &Field, words: &str, question: &Question<'_>) -> Reading {
    let (fields, values) = (std::slice::from_ref(known), Values::default());
    reader::read(Question { fields, asked: Some(known), text: words, known: &values, ..*question })
}

/// Returns whether a text holds some words, spaces, case and the shape of quotation marks aside.
pub(super) fn contains(text: &str, words: &str) -> bool {
    let straight = |text: &str| text.to_lowercase().replace(['’', '‘'], "'").replace(['“', '”'], "\"");
    let plain = |text: &str| straight(text).split_whitespace().collect::<Vec<_>>().join(" ");
    plain(text).contains(&plain(words))
}

fn figures(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Returns whether both coordinates begin as figures in the words do.
fn is_written(place: &Value, words: &str) -> bool {
    let numbers: Vec<&str> =
        words.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
    let whole = |value: &Value| figures(value.to_string().split('.').next().unwrap_or_default());
    ["lat", "lng"].iter().all(|part| numbers.contains(&whole(&place[*part]).as_str()))
}
