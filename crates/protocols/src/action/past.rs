//! The values of a draft before each of its last changes, so that they can be undone.

use holdpoint_core::Values;

/// How many changes can be taken back.
const MOST: usize = 20;

/// The values before each of the last changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftHistory {
    before: Vec<Values>,
    now: Values,
}

/// Which way a draft went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftDirection {
    /// Something was given or changed.
    Forth,
    /// The last change was taken back.
    Back,
    /// Unknown: a draft that equals the one before the last is taken as an undo.
    Unsaid,
}

impl DraftHistory {
    /// Takes the next draft.
    pub fn drafted(&mut self, draft: Values, way: DraftDirection) {
        let back = match way {
            DraftDirection::Forth => false,
            DraftDirection::Back => true,
            DraftDirection::Unsaid => self.before.last() == Some(&draft),
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

/// Adds what was known before a change; the oldest is forgotten.
pub(super) fn push(past: &mut Vec<Values>, before: Values) {
    if past.len() >= MOST {
        past.remove(0);
    }
    past.push(before);
}
