//! Undo: the values before the last turn that changed something.

use holdpoint_core::Values;

use super::super::past;
use super::{Conversation, State, say};

/// Keeps what was known before a turn that changed something.
pub(super) fn remember(state: &mut State, before: Values, now: &Values) {
    if before != *now {
        past::push(&mut state.past, before);
    }
}

/// Restores the values from before the last turn that changed something, and reports them.
pub(super) fn take_back(talk: &mut Conversation<'_>) {
    talk.state.offers.clear();
    talk.state.failures = 0;
    let Some(before) = talk.state.past.pop() else {
        talk.add_message("There is no change here that I could take back, so nothing was changed.");
        talk.unclear = true;
        return;
    };
    let (mut back, mut gone) = (Vec::new(), Vec::new());
    let differs = |id: &&String| before.get(*id) != talk.values.get(*id);
    let changed: Vec<String> = before.keys().chain(talk.values.keys()).filter(differs).cloned().collect();
    for field in &talk.form.fields {
        match (before.get(&field.id), talk.values.get(&field.id)) {
            (Some(old), now) if Some(old) != now => {
                back.push(format!("{}: {}", say::called(field), say::value(field, old)));
            }
            (None, Some(_)) => gone.push(say::called(field)),
            _ => {}
        }
    }
    // Undoing is not itself a change that can be undone.
    talk.before.clone_from(&before);
    talk.values = before;
    talk.state.sources.retain(|id, _| talk.values.contains_key(id) && !changed.contains(id));
    talk.state.last = None;
    talk.state.first = None;
    talk.state.summed = None;
    talk.state.waiting = None;
    talk.add_message("I have taken the last change back.");
    if !back.is_empty() {
        talk.add_message(format!("Again {}.", back.join("; ")));
    }
    if !gone.is_empty() {
        talk.add_message(format!("No longer filled in: {}.", gone.join(", ")));
    }
}
