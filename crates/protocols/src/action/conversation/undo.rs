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
            if self.before.len() >= MOST {
                self.before.remove(0);
            }
            self.before.push(std::mem::take(&mut self.now));
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
                back.push(format!("{}: {}", say::called(field), say::value(field, old)));
            }
            (None, Some(_)) => gone.push(say::called(field)),
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

    fn draft(number: i64) -> Values {
        Values::from_iter([("a".to_owned(), json!(number))])
    }

    fn past(drafts: impl IntoIterator<Item = i64>, way: Way) -> Vec<Values> {
        let mut past = Past::default();
        drafts.into_iter().for_each(|number| past.drafted(draft(number), way));
        past.before
    }

    #[test]
    fn what_was_known_before_follows_from_what_was_drafted() {
        let empty = Values::new();
        assert_eq!(past([1, 2, 3], Way::Unsaid), [empty.clone(), draft(1), draft(2)]);
        // 2 was taken back, then 3 given.
        assert_eq!(past([1, 2, 1, 3], Way::Unsaid), [empty.clone(), draft(1)]);
        assert_eq!(past([1, 1], Way::Unsaid), [empty]);
        assert_eq!(past(0..100, Way::Unsaid).len(), MOST);
        assert!(past([], Way::Unsaid).is_empty());
    }

    /// Whoever gives a former value anew has changed something, and can take that back.
    #[test]
    fn a_value_given_anew_is_not_taken_back() {
        assert_eq!(past([1, 2, 1], Way::Forth), [Values::new(), draft(1), draft(2)]);
        let mut undone = Past { before: past([1, 2], Way::Forth), now: draft(2) };
        undone.drafted(draft(1), Way::Back);
        assert_eq!(undone, Past { before: vec![Values::new()], now: draft(1) });
    }
}
