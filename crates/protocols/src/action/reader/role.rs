//! What a field of dates asks for: when something starts, when it ends, by when it is needed.

use holdpoint_core::{Field, Kind};

use super::known::named;

/// Returns whether a field asks by when something is needed.
pub(super) fn asks_by_when(field: &Field) -> bool {
    let words = |text: &str| named(text).iter().any(|token| token.is("by"));
    field.kind.is_temporal() && (words(&super::super::form::words_of(&field.id)) || words(&field.label))
}

pub(super) fn is_start(field: &Field) -> bool {
    says(field, &["start", "starts", "begin", "begins", "from", "first", "arrive", "arrival", "departure"])
}

pub(super) fn is_end(field: &Field) -> bool {
    says(field, &["end", "ends", "until", "finish", "finishes", "last", "return", "leave"])
        && !is_start(field)
}

/// Finds the two fields that ask for the start and the end of one thing: `start_date` and `end_date`.
pub fn span(fields: &[Field]) -> Option<(&Field, &Field)> {
    const STARTS: [&str; 8] =
        ["start", "starts", "begin", "begins", "from", "arrival", "departure", "beginning"];
    const ENDS: [&str; 6] = ["end", "ends", "until", "finish", "return", "ending"];
    // What else the names say must be the same, or they speak of two things.
    let rest = |field: &Field, own: &[&str]| -> Option<Vec<String>> {
        let words = named(&super::super::form::words_of(&field.id));
        let called = words.iter().any(|token| token.among(own));
        called
            .then(|| words.iter().filter(|token| !token.among(own)).map(|token| token.low.clone()).collect())
    };
    let dated = |field: &&Field| matches!(field.kind, Kind::Date | Kind::Datetime);
    fields.iter().filter(dated).find_map(|start| {
        let name = rest(start, &STARTS)?;
        let end = fields
            .iter()
            .filter(dated)
            .find(|end| end.kind == start.kind && rest(end, &ENDS).as_ref() == Some(&name))?;
        Some((start, end))
    })
}

/// Returns whether a field's id, or else its label, has one of these words.
fn says(field: &Field, words: &[&str]) -> bool {
    let has = |text: &str| named(text).iter().any(|token| token.among(words));
    let id = super::super::form::words_of(&field.id);
    has(&id)
        || (!named(&id).iter().any(|token| token.among(&["start", "end", "from", "until"]))
            && has(&field.label))
}
