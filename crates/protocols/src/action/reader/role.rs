//! What a field of dates asks for: when something starts, when it ends, by when it is needed.

use holdpoint_core::Field;

use super::words::tokens;

/// Returns whether a field asks by when something is needed.
pub(super) fn asks_by_when(field: &Field) -> bool {
    let words = |text: &str| tokens(text).iter().any(|token| token.is("by"));
    field.kind.is_temporal() && (words(&super::super::form::words_of(&field.id)) || words(&field.label))
}

pub(super) fn is_start(field: &Field) -> bool {
    says(field, &["start", "starts", "begin", "begins", "from", "first", "arrive", "arrival", "departure"])
}

pub(super) fn is_end(field: &Field) -> bool {
    says(field, &["end", "ends", "until", "finish", "finishes", "last", "return", "leave"])
        && !is_start(field)
}

/// Returns whether a field's id, or else its label, has one of these words.
fn says(field: &Field, words: &[&str]) -> bool {
    let has = |text: &str| tokens(text).iter().any(|token| token.among(words));
    let id = super::super::form::words_of(&field.id);
    has(&id)
        || (!tokens(&id).iter().any(|token| token.among(&["start", "end", "from", "until"]))
            && has(&field.label))
}
