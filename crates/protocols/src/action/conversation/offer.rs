//! What was mentioned and may be meant: it is offered in one question, which a yes takes and anything else passes by.

use serde_json::Value;

use super::super::form::step;
use super::super::reader::{Manner, Reading};
use super::{Talk, next, say};

/// What became of an offer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Settled {
    /// It was taken.
    Taken,
    /// The person said no to it.
    PassedBy,
    /// The person said something else: this was offered.
    Left(String, Value),
}

/// Takes what was offered if the person agrees, and forgets it otherwise.
pub(super) fn settle(talk: &mut Talk<'_>, how: Manner, given: &mut Vec<(String, Value)>) -> Option<Settled> {
    let (id, value) = talk.state.offered.take()?;
    if given.iter().any(|(field, _)| *field == id) {
        return Some(Settled::Taken);
    }
    let no = talk.turn.text.trim().trim_end_matches(['.', '!']).to_lowercase();
    if how == Manner::Confirm && given.is_empty() {
        given.push((id, value));
        return Some(Settled::Taken);
    }
    if matches!(no.as_str(), "no" | "nope" | "nah" | "no, it isn't" | "no, it is not" | "no it isn't") {
        return Some(Settled::PassedBy);
    }
    Some(Settled::Left(id, value))
}

/// Offers the first thing that was mentioned for a field that is still open in this step. Returns whether it did. What was
/// offered just before is not offered again.
pub(super) fn make(talk: &mut Talk<'_>, reading: &Reading, before: Option<&Settled>) -> bool {
    let step_now = next::missing(talk).map(step);
    let asked = talk.state.asked.clone();
    let fits = |talk: &Talk<'_>, id: &str| {
        !talk.values.contains_key(id)
            && talk.visible().into_iter().any(|field| field.id == *id && Some(step(field)) == step_now)
    };
    let open: Vec<_> = reading.mentioned.iter().filter(|mentioned| fits(talk, &mentioned.field)).collect();
    let Some(first) =
        open.iter().find(|mentioned| Some(&mentioned.field) == asked.as_ref()).or(open.first()).copied()
    else {
        return false;
    };
    if matches!(before, Some(Settled::Left(id, value)) if *id == first.field && *value == first.value) {
        return false;
    }
    let Some(field) = talk.field(&first.field) else { return false };
    let text = format!(
        "You mention {}. Is the {} {}?",
        holdpoint_core::text::quote(&first.words),
        say::name(&first.field),
        say::value(field, &first.value)
    );
    talk.tell(text);
    next::ask_first(talk, &first.field);
    talk.state.offered = Some((first.field.clone(), first.value.clone()));
    true
}
