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
    Denied,
    /// The person said something else.
    PassedBy,
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
    if talk.state.passed_by.len() < MOST {
        talk.state.passed_by.push((id, value));
    }
    let denied =
        matches!(no.as_str(), "no" | "nope" | "nah" | "no, it isn't" | "no, it is not" | "no it isn't");
    Some(if denied { Settled::Denied } else { Settled::PassedBy })
}

/// How much of what was passed by is remembered.
const MOST: usize = 50;

/// Offers the first thing that was mentioned for a field that is still open in this step. Returns whether it did.
pub(super) fn make(talk: &mut Talk<'_>, reading: &Reading) -> bool {
    let step_now = next::missing(talk).map(step);
    let asked = talk.state.asked.clone();
    let fits = |talk: &Talk<'_>, id: &str| {
        !talk.values.contains_key(id)
            && talk.visible().into_iter().any(|field| field.id == *id && Some(step(field)) == step_now)
    };
    let passed = |talk: &Talk<'_>, id: &str, value: &Value| {
        talk.state.passed_by.iter().any(|(field, passed)| field == id && passed == value)
    };
    let open: Vec<_> = reading
        .mentioned
        .iter()
        .filter(|mentioned| fits(talk, &mentioned.field) && !passed(talk, &mentioned.field, &mentioned.value))
        .collect();
    let Some(first) =
        open.iter().find(|mentioned| Some(&mentioned.field) == asked.as_ref()).or(open.first()).copied()
    else {
        return false;
    };
    let Some(field) = talk.field(&first.field) else { return false };
    let question = format!("Is the {} {}?", say::name(&first.field), say::value(field, &first.value));
    let text = match first.words.as_str() {
        // A model may guess without saying from which words.
        "" => question,
        words => format!("You mention {}. {question}", holdpoint_core::text::quote(words)),
    };
    talk.tell(text);
    next::ask_first(talk, &first.field);
    talk.state.offered = Some((first.field.clone(), first.value.clone()));
    true
}
