//! Whether a value that a model gives is one that the person stated: the words that it points to must stand in the message.
//!
//! Addresses, telephone numbers and places must stand there figure by figure, for a model knows many that nobody gave it; a
//! person's words stay a person's words. What a word means is the model's to say.

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

/// Returns the value as the person stated it; none, if nothing that they said carries it.
pub(super) fn stated(text: &str, known: &Field, value: Value, words: &str) -> Option<Value> {
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
        _ => match field::has_custom_text(&value) {
            Some(own) if !contains(words, own) => None,
            _ => Some(value),
        },
    }
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
