//! What was known before the last turn that changed something, for whoever wants it back.

use holdpoint_core::Values;

use super::{State, Talk, say};

/// How many turns can be taken back.
const MOST: usize = 20;

/// Keeps what was known before a turn that changed something.
pub(super) fn remember(state: &mut State, before: Values, now: &Values) {
    if before != *now {
        push(&mut state.past, before);
    }
}

fn push(past: &mut Vec<Values>, before: Values) {
    if past.len() >= MOST {
        past.remove(0);
    }
    past.push(before);
}

/// What was known before each of the last changes, by what was drafted, one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    before: Vec<Values>,
    now: Values,
}

/// Which way a draft went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Something was given or changed.
    Forth,
    /// The last change was taken back.
    Back,
    /// Nobody said: a draft that is as the one before the last was taken back to it.
    Unsaid,
}

impl Past {
    /// Takes the next draft.
    pub fn drafted(&mut self, draft: Values, way: Way) {
        let back = match way {
            Way::Forth => false,
            Way::Back => true,
            Way::Unsaid => self.before.last() == Some(&draft),
        };
        if back {
            self.before.pop();
        } else if draft != self.now {
            push(&mut self.before, std::mem::take(&mut self.now));
        }
        self.now = draft;
    }

    /// Returns what was known before each of the last changes, oldest first.
    pub fn before(&self) -> &[Values] {
        &self.before
    }
}

/// Restores what was known before the last turn that changed something, and says what it is now.
pub(super) fn take_back(talk: &mut Talk<'_>) {
    talk.state.offers.clear();
    talk.state.failures = 0;
    let Some(before) = talk.state.past.pop() else {
        talk.tell("There is no change here that I could take back, so nothing was changed.");
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
    // Taking back is not a change of its own.
    talk.before.clone_from(&before);
    talk.values = before;
    talk.state.sources.retain(|id, _| talk.values.contains_key(id) && !changed.contains(id));
    talk.state.last = None;
    talk.state.first = None;
    talk.state.summed = None;
    talk.state.waiting = None;
    talk.tell("I have taken the last change back.");
    if !back.is_empty() {
        talk.tell(format!("Again {}.", back.join("; ")));
    }
    if !gone.is_empty() {
        talk.tell(format!("No longer filled in: {}.", gone.join(", ")));
    }
}
