//! Tells whoever keeps waiters of every commit: our own with what they changed, others' by their place only.

use std::sync::{Mutex, PoisonError};

use holdpoint_core::Numbering;
use tokio::sync::mpsc;

use crate::Commit;
use crate::plan::Writes;

/// The way to the one who listens, if anyone does.
#[derive(Default)]
pub(super) struct Feed(Mutex<Option<Line>>);

struct Line {
    sender: mpsc::UnboundedSender<Commit>,
    /// Up to where the listener has been told.
    told: i64,
}

impl Feed {
    /// Starts telling, of everything after `seq`.
    pub(super) fn subscribe(&self, seq: i64) -> mpsc::UnboundedReceiver<Commit> {
        let (sender, receiver) = mpsc::unbounded_channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Line { sender, told: seq });
        receiver
    }

    /// Tells of a commit of our own. What others committed just before it is told with it.
    pub(super) fn own(&self, writes: Writes, numbering: Numbering, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut() else { return };
        let foreign = writes.events.first().is_some_and(|event| event.seq > line.told + 1);
        let mut commit = Commit { seq, changed: Vec::new(), removed: Vec::new(), foreign };
        for (number, row) in writes.decisions {
            match row {
                Some(row) => commit.changed.push(row.stored.decision),
                None => commit.removed.push(numbering.id(number)),
            }
        }
        line.told = line.told.max(seq);
        let _ = line.sender.send(commit);
    }

    /// Tells that the log has grown to `seq`, unless that was our own doing.
    pub(super) fn saw(&self, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut().filter(|line| line.told < seq) else { return };
        line.told = seq;
        let _ = line.sender.send(Commit { seq, changed: Vec::new(), removed: Vec::new(), foreign: true });
    }
}
