//! Reports every commit to the listener, which wakes the waiters: our own with their changes, those of other processes
//! by position only.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use holdpoint_core::{DecisionId, Lane};
use tokio::sync::mpsc;

use crate::plan::{Snapshot, Writes, stream};
use crate::{ChangedDecision, Commit};

/// Receives every commit on the thread that made or noticed it, so it must not block.
pub trait Listener: Send + Sync {
    /// Handles one commit. Earlier commits have been reported before.
    fn committed(&self, commit: Commit);
}

impl Listener for mpsc::UnboundedSender<Commit> {
    fn committed(&self, commit: Commit) {
        let _ = self.send(commit);
    }
}

/// The listener, if there is one.
#[derive(Default)]
pub(crate) struct Feed(Mutex<Option<ListenerState>>);

struct ListenerState {
    listener: Arc<dyn Listener>,
    /// The last event that was reported to the listener.
    told: i64,
}

/// The changes of a commit.
pub(crate) struct CommitChanges {
    /// Its first event.
    first: i64,
    changed: Vec<ChangedDecision>,
    removed: Vec<DecisionId>,
    lanes: HashSet<Lane>,
    of_jobs: bool,
    begun: Instant,
}

impl CommitChanges {
    /// Collects the changes that a batch is about to make; `begun` is when it was begun.
    pub(crate) fn of(snapshot: &Snapshot, writes: &Writes, begun: Instant) -> Self {
        let mut news = Self {
            first: writes.events.first().map_or(0, |event| event.seq),
            changed: Vec::with_capacity(writes.decisions.len()),
            removed: Vec::new(),
            lanes: writes.outbox.iter().map(|entry| entry.lane).collect(),
            of_jobs: writes.events.iter().any(|event| stream::is_job(&event.stream)),
            begun,
        };
        if !writes.withdrawals.is_empty() {
            news.lanes.insert(Lane::Follow);
        }
        for number in writes.decisions.keys() {
            match snapshot.decision(*number) {
                Some(stored) => {
                    let (decision, bytes) = (stored.shared(), stored.bytes);
                    news.changed.push(ChangedDecision { decision, bytes });
                }
                None => news.removed.push(snapshot.numbering().id(*number)),
            }
        }
        news
    }
}

impl Feed {
    /// Starts reporting everything after `seq`.
    pub(crate) fn subscribe(&self, listener: Arc<dyn Listener>, seq: i64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(ListenerState { listener, told: seq });
    }

    /// Returns whether there is a listener.
    pub(crate) fn has_listener(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Reports our own commit, together with those that others made just before it.
    pub(crate) fn own(&self, news: CommitChanges, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut() else { return };
        let CommitChanges { first, changed, removed, lanes, of_jobs, begun } = news;
        let (after, foreign) = (line.told, first > line.told + 1);
        line.told = line.told.max(seq);
        let (of_jobs, begun) = (of_jobs || foreign, Some(begun));
        line.listener.committed(Commit { after, seq, changed, removed, lanes, begun, of_jobs, foreign });
    }

    /// Reports that the log has grown to `seq`, unless that was reported already.
    pub(crate) fn saw(&self, seq: i64) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(line) = feed.as_mut().filter(|line| line.told < seq) else { return };
        let after = std::mem::replace(&mut line.told, seq);
        let (changed, removed, lanes) = (Vec::new(), Vec::new(), HashSet::new());
        let (begun, of_jobs, foreign) = (None, true, true);
        line.listener.committed(Commit { after, seq, changed, removed, lanes, begun, of_jobs, foreign });
    }
}
