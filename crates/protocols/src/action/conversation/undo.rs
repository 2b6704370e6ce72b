//! What was known before the last turn that changed something, for whoever wants it back.

use holdpoint_core::Values;

use super::{State, Talk, say};

/// How many turns can be taken back.
const MOST: usize = 20;

/// Keeps what was known before a turn that changed something.
pub(super) fn remember(state: &mut State, before: Values, now: &Values) {
    if before == *now {
        return;
    }
    if state.past.len() >= MOST {
        state.past.remove(0);
    }
    state.past.push(before);
}

/// Restores what was known before the last turn that changed something, and says what it is now.
pub(super) fn take_back(talk: &mut Talk<'_>) {
    talk.state.offered = None;
    talk.state.failures = 0;
    let Some(before) = talk.state.past.pop() else {
        talk.tell("There is no change here that I could take back, so nothing was changed.");
        talk.unclear = true;
        return;
    };
    let (mut back, mut gone) = (Vec::new(), Vec::new());
    for field in &talk.form.fields {
        match (before.get(&field.id), talk.values.get(&field.id)) {
            (Some(old), now) if Some(old) != now => {
                back.push(format!("{}: {}", say::name(&field.id), say::value(field, old)));
            }
            (None, Some(_)) => gone.push(say::name(&field.id)),
            _ => {}
        }
    }
    // Taking back is not a change of its own.
    talk.before.clone_from(&before);
    talk.values = before;
    talk.state.last = None;
    talk.state.first = None;
    talk.state.summed = None;
    talk.state.halves.clear();
    talk.state.waiting = None;
    talk.tell("I have taken the last change back.");
    if !back.is_empty() {
        talk.tell(format!("Again {}.", back.join("; ")));
    }
    if !gone.is_empty() {
        talk.tell(format!("No longer filled in: {}.", gone.join(", ")));
    }
}
