//! Tells subscribers, who keep the waiters, of every commit: our own with what they changed, others' by position only.

use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::{Decision, DecisionId};
use tokio::sync::mpsc;

use crate::Commit;
use crate::plan::{Snapshot, Writes};

/// The channel to the listener, if there is one.
#[derive(Default)]
pub(crate) struct Feed(Mutex<Option<Line>>);

struct Line {
    sender: mpsc::UnboundedSender<Commit>,
    /// Up to where the listener has been told.
    told: i64,
}

/// What a commit changed.
pub(crate) struct News {
    /// The first event of it.
    first: i64,
    changed: Vec<Arc<Decision>>,
    removed: Vec<DecisionId>,
}

impl News {
    /// Gathers what a batch is about to change.
    pub(crate) fn of(snapshot: &Snapshot, writes: &Writes) -> Self {
        let mut news = Self {
            first: writes.events.first().map_or(0, |event| event.seq),
            changed: Vec::with_capacity(writes.decisions.len()),
            removed: Vec::new(),
        };
        for number in writes.decisions.keys() {
            match snapshot.decision(*number) {
                Some(stored) => news.changed.push(Arc::clone(&stored.decision)),
                None => news.removed.push(snapshot.numbering().id(*number)),
            }
        }
        news
    }
}

impl Feed {
    /// Starts telling, of everything after `seq`.
    pub(crate) fn subscribe(&self, seq: i64) -> mpsc::UnboundedReceiver<Commit> {
        let (sender, receiver) = mpsc::unbounded_channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Line { sender, told: seq });
        receiver
    }

    /// Returns whether anyone wants to know.
    pub(crate) fn has_listener(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Tells of a commit of our own. What others committed just before it is told with it.
    pub(crate) fn own(&self, news: News, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut() else { return };
        let foreign = news.first > line.told + 1;
        line.told = line.told.max(seq);
        let _ = line.sender.send(Commit { seq, changed: news.changed, removed: news.removed, foreign });
    }

    /// Tells that the log has grown to `seq`, unless that was our own doing.
    pub(crate) fn saw(&self, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut().filter(|line| line.told < seq) else { return };
        line.told = seq;
        let _ = line.sender.send(Commit { seq, changed: Vec::new(), removed: Vec::new(), foreign: true });
    }
}
