//! The writes of a batch: rows for a driver to write in its one transaction.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::run::ObjectId;
use holdpoint_core::{Item, Lane, Project, Span, Status, Thread, Timestamp};

use super::{CredentialWrite, KeyScope, KeyUse, Usage};
use crate::chain::Hash;

/// Everything that a batch writes. Events come first, then erasures; the rest in any order.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    /// New events, in order.
    pub(crate) events: Vec<EventRow>,
    /// Changes to decisions, by row number.
    pub(crate) decisions: BTreeMap<i64, DecisionWrite>,
    /// The last row number given, if any, even if its decision was removed again.
    pub(crate) last_number: Option<i64>,
    /// Changes to work items, in order.
    pub(crate) items: Vec<ItemWrite>,
    /// Changes to jobs and crews, by stream.
    pub(crate) jobs: BTreeMap<String, JobWrite>,
    /// New or changed runs; the snapshot has their content.
    pub(crate) runs: BTreeSet<ObjectId>,
    /// Changes to threads, by id; none for a removed thread.
    pub(crate) threads: BTreeMap<String, Option<Thread>>,
    /// Projects' settings, by name.
    pub(crate) projects: BTreeMap<String, Project>,
    /// New outbox rows.
    pub(crate) outbox: Vec<OutboxRow>,
    /// New outbox rows for messages that a person may no longer see.
    pub(crate) withdrawals: Vec<Withdrawals>,
    /// Idempotency keys that were used.
    pub(crate) keys: Vec<(KeyScope, KeyUse, Timestamp)>,
    /// The changes of counters.
    pub(crate) counts: BTreeMap<(String, &'static str), i64>,
    /// The changes of credentials' usage.
    pub(crate) usage: BTreeMap<String, Usage>,
    /// Changes to stored credentials, in order.
    pub(crate) credentials: Vec<CredentialWrite>,
    /// Streams whose bodies before a version are erased.
    pub(crate) erased: Vec<(String, i64)>,
    /// Decisions whose outbox rows are deleted.
    pub(crate) cleared: Vec<i64>,
    /// How far the log is ahead of the clock, if that changed.
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
    /// The proof that a holder of a key wrote the batch, on its last event.
    pub(crate) proof: Option<Vec<u8>>,
}

/// A change to a decision's row; the snapshot has its content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecisionWrite {
    /// It is new; the document is given if it has not changed since.
    Insert { doc: Option<String> },
    /// It has changed.
    Update,
    /// It is removed.
    Delete,
}

/// A change to a job's row; the snapshot has its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobWrite {
    /// It is new or changed.
    Put,
    /// It is removed.
    Delete,
}

/// A change to a work item's row.
#[derive(Debug)]
pub(crate) enum ItemWrite {
    /// It is added.
    Create(Item),
    /// It is removed.
    Delete { project: String, id: String },
    /// The number of its pending decisions changes.
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

/// New outbox rows in [`Lane::Follow`], one for each pending decision and channel with open messages to a person. Only
/// the driver knows which messages there are.
#[derive(Debug)]
pub(crate) struct Withdrawals {
    pub(crate) person: String,
    pub(crate) channels: Vec<&'static str>,
    pub(crate) seq: i64,
    /// The id of the first row, and the maximum number of rows.
    pub(crate) first: i64,
    pub(crate) most: i64,
    pub(crate) not_before: Timestamp,
    pub(crate) not_after: Timestamp,
}

impl Writes {
    /// Returns whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.keys.is_empty() && self.skew.is_none()
    }

    /// Adds to a credential's usage.
    pub(super) fn use_up(&mut self, credential: &str, change: Usage) {
        *self.usage.entry(credential.to_owned()).or_default() += change;
    }

    pub(super) fn count(&mut self, project: &str, status: Status, by: i64) {
        *self.counts.entry((project.to_owned(), status.name())).or_default() += by;
    }
}
