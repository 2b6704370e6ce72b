//! What a batch comes to: rows for a driver to write, in its one transaction.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::run::ObjectId;
use holdpoint_core::{Item, Lane, Project, Span, Status, Thread, Timestamp};

use super::{CredentialWrite, Scope, Usage, Used};
use crate::chain::Hash;

/// Everything that a batch writes. Events come first, then erasures; the rest in any order.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    /// New events, in order.
    pub(crate) events: Vec<EventRow>,
    /// Changes to decisions, by row number.
    pub(crate) decisions: BTreeMap<i64, DecisionWrite>,
    /// The last row number given, if one was; also where its decision is gone again already.
    pub(crate) last_number: Option<i64>,
    /// Changes to work items, in order.
    pub(crate) items: Vec<ItemWrite>,
    /// Changes to jobs and crews, by stream.
    pub(crate) jobs: BTreeMap<String, JobWrite>,
    /// Runs that are new or changed; what they then are is in the snapshot.
    pub(crate) runs: BTreeSet<ObjectId>,
    /// Changes to threads, by id; none if it goes.
    pub(crate) threads: BTreeMap<String, Option<Thread>>,
    /// Projects' settings, by name.
    pub(crate) projects: BTreeMap<String, Project>,
    /// New outbox rows.
    pub(crate) outbox: Vec<OutboxRow>,
    /// Idempotency keys that were used.
    pub(crate) keys: Vec<(Scope, Used, Timestamp)>,
    /// By how much the kept counters change.
    pub(crate) counts: BTreeMap<(String, &'static str), i64>,
    /// By how much what credentials have pending changes.
    pub(crate) usage: BTreeMap<String, Usage>,
    /// Changes to what is kept of credentials, in order.
    pub(crate) credentials: Vec<CredentialWrite>,
    /// Streams whose bodies before a version are erased.
    pub(crate) erased: Vec<(String, i64)>,
    /// Decisions whose outbox rows go.
    pub(crate) cleared: Vec<i64>,
    /// By how much the log is ahead of the clock, where that changed.
    pub(crate) skew: Option<Span>,
}

/// A new row of the log.
#[derive(Debug)]
pub(crate) struct EventRow {
    pub(crate) seq: i64,
    pub(crate) stream: String,
    pub(crate) version: i64,
    pub(crate) tag: &'static str,
    pub(crate) at: Timestamp,
    pub(crate) body: String,
    pub(crate) body_hash: Hash,
    pub(crate) prev: Hash,
    pub(crate) hash: Hash,
    /// That a holder of a key wrote the batch, at its last event.
    pub(crate) proof: Option<Vec<u8>>,
}

/// A change to a decision's row; what it then holds is in the snapshot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecisionWrite {
    /// It is new; its document is given where it has not changed since.
    Insert { doc: Option<String> },
    /// It is another now.
    Update,
    /// It goes.
    Delete,
}

/// A change to a job's row; what it then holds is in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobWrite {
    /// It is new or another now.
    Put,
    /// It goes.
    Delete,
}

/// A change to a work item's row.
#[derive(Debug)]
pub(crate) enum ItemWrite {
    /// It becomes known.
    Create(Item),
    /// It goes.
    Delete { project: String, id: String },
    /// The number of decisions it waits for changes.
    Pending { project: String, id: String, by: i64 },
}

/// A new outbox row.
#[derive(Debug)]
pub(crate) struct OutboxRow {
    pub(crate) id: i64,
    pub(crate) seq: i64,
    pub(crate) lane: Lane,
    pub(crate) project: String,
    pub(crate) target: String,
    pub(crate) decision: Option<i64>,
    pub(crate) not_before: Timestamp,
    pub(crate) not_after: Timestamp,
}

impl Writes {
    /// Returns whether nothing is to be written.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.keys.is_empty() && self.skew.is_none()
    }

    /// Keeps what a credential has pending.
    pub(super) fn use_up(&mut self, credential: &str, change: Usage) {
        *self.usage.entry(credential.to_owned()).or_default() += change;
    }

    pub(super) fn count(&mut self, project: &str, status: Status, by: i64) {
        *self.counts.entry((project.to_owned(), status.name())).or_default() += by;
    }
}
