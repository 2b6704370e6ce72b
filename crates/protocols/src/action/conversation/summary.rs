//! Replies to the summary of a step.

use super::super::briefing::ReaderResult;
use super::super::form;
use super::super::reader::{self, Reading};
use super::super::wire::Action;
use super::apply::{store, typed};
use super::{Conversation, Turn, mend, next, offer, phrase, say};

/// Handles a reply to a step's summary. Returns an action if that ends the turn.
pub(super) fn answer(
    talk: &mut Conversation<'_>,
    step: u64,
    turn: &Turn,
    understood: &ReaderResult,
) -> Option<Action> {
    let nothing = Reading::default();
    let (reading, corrected) = match understood {
        ReaderResult::Values(reading) => (reading, None),
        ReaderResult::Correction { field, reading } => (reading, field.clone()),
        ReaderResult::Remark(_) | ReaderResult::Tool(_) => (&nothing, None),
    };
    let given = typed(talk, turn);
    let stated = !reading.taken.is_empty() || !given.is_empty();
    if !stated && !reading.unsure.is_empty() {
        talk.state.summed = None;
        offer::make(talk, reading);
        return None;
    }
    let text = turn.text.as_str();
    if stated {
        let mut all = given;
        all.extend(super::apply::read(talk, reading));
        talk.state.summed = None;
        // `yes, and Monday at ten` agrees, unless it changes what was agreed to.
        let here = |id: &String| talk.field(id).is_some_and(|field| form::step(field) == step);
        let agrees = reader::agrees(text) && reading.guards.is_empty();
        if agrees && !all.iter().any(|(id, _)| here(id)) {
            talk.state.confirmed.push(step);
        }
        store(talk, all, reading);
        return None;
    }
    if phrase::agrees(text) {
        talk.state.summed = None;
        talk.state.confirmed.push(step);
        return None;
    }
    let named = corrected.or_else(|| match &mend::named(talk, text)[..] {
        [one] => Some(one.clone()),
        _ => None,
    });
    if mend::ask_left(talk, reading) {
        talk.state.summed = None;
        return None;
    }
    if let Some(id) = named.filter(|_| reader::corrects(text)) {
        talk.state.summed = None;
        if !mend::reopen(talk, &id) {
            next::ask_first(talk, &id);
        }
        return None;
    }
    let ask = if reader::corrects(text) || phrase::declines(text) {
        "What shall I change?"
    } else {
        "I need a yes before I go on, or what to change."
    };
    Some(Action::Message { text: format!("{ask} {}", say::summary(talk, step)) })
}
