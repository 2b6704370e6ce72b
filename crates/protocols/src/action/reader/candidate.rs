//! What may be a value: words that look like one, in a clause of which nobody knows whether it states it for this form.
//!
//! The text is read once more as if every such clause did. What that finds, and the first reading did not, is
//! offered to the person and never taken.

use holdpoint_core::{Field, Kind};
use serde_json::{Value, json};

use super::scan::Strictness;
use super::{Question, Reading, Taken, read_scan};

/// Reads a text, and finds what else it may state.
pub(super) fn read(question: Question<'_>) -> Reading {
    let scan = read_scan(question, Strictness::Licensed);
    let open = scan.is_open();
    let mut reading = scan.reading;
    if open {
        let lenient = read_scan(question, Strictness::Lenient).reading;
        reading.mentioned =
            lenient.taken.into_iter().filter(|taken| may_be(question, &reading, taken)).collect();
    }
    reading
}

/// Returns whether a value is one that the person can be asked about: nothing else is known or said of its field.
fn may_be(question: Question<'_>, reading: &Reading, taken: &Taken) -> bool {
    let asked = question.asked.is_some_and(|field| field.id == taken.field);
    let said = reading.value(&taken.field).is_some()
        || reading.unsure.iter().any(|unsure| unsure.field == taken.field)
        || reading.unfit.iter().any(|unfit| unfit.field == taken.field)
        || reading.partial.iter().any(|half| half.field == taken.field);
    let field = question.fields.iter().find(|field| field.id == taken.field);
    let known = question.known.contains_key(&taken.field) && !asked;
    !said && !known && field.is_some_and(|field| can_be_offered(field, &taken.value))
}

/// Returns whether a yes can take a value: words need no guessing, and a no is not confirmed by a yes.
fn can_be_offered(field: &Field, value: &Value) -> bool {
    let no = super::truth::poles(field).is_some_and(|(_, no)| no == *value) || *value == json!(false);
    !no && !matches!(field.kind, Kind::Text | Kind::Multiline)
}
