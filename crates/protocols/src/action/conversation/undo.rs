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

/// Returns what was known before each of the last changes, given what was drafted, oldest first. A draft that is as the one
/// before the last was taken back to it.
pub fn past(drafts: Vec<Values>) -> Vec<Values> {
    let (mut past, mut now) = (Vec::<Values>::new(), Values::new());
    for draft in drafts {
        if past.last() == Some(&draft) {
            past.pop();
        } else if draft != now {
            past.push(std::mem::take(&mut now));
        }
        now = draft;
    }
    past.drain(..past.len().saturating_sub(MOST));
    past
}

/// Restores what was known before the last turn that changed something, and says what it is now.
pub(super) fn take_back(talk: &mut Talk<'_>) {
    talk.state.offered = None;
    talk.state.offers.clear();
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_known_before_follows_from_what_was_drafted() {
        let draft = |number: i64| Values::from_iter([("a".to_owned(), json!(number))]);
        let empty = Values::new();
        assert_eq!(past(vec![draft(1), draft(2), draft(3)]), [empty.clone(), draft(1), draft(2)]);
        // 2 was taken back, then 3 given.
        assert_eq!(past(vec![draft(1), draft(2), draft(1), draft(3)]), [empty.clone(), draft(1)]);
        assert_eq!(past(vec![draft(1), draft(1)]), [empty]);
        assert_eq!(past((0..100).map(draft).collect()).len(), MOST);
        assert!(past(Vec::new()).is_empty());
    }
}
