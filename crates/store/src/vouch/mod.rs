//! Vouching for the log. Every batch carries a proof of the key that wrote it. The signer of checkpoints remembers,
//! beside its key, how far it has vouched, and signs only a log that contains this.
//!
//! The memory never comes from the store: an attacker who can write to the store must not be able to change it.

mod acts;
mod check;
mod end;
mod points;
mod proof;
mod proofs;
mod remembered;
mod rotation;
mod seen;
mod tree;
mod versions;
mod walk;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub(crate) use acts::{TrustChange, TrustChanges, is_act};
pub use check::{Checked, attest, check, runs_through_remembered, sign};
pub(crate) use end::CommittedEvent;
use end::LogEnd;
pub(crate) use points::{after_commit, with_commit};
pub use points::{is_signed, statement};
pub use proof::{KeyId, Proof, message};
pub(crate) use proof::{StoreReaders, seal};
pub use proofs::{begins_with, consistency, includes, inclusion};
pub(crate) use remembered::store_id;
pub use remembered::{Identity, LostEvent, Remembered, UnsignedEvent};
pub use rotation::Rotations;
pub use tree::Tree;
use versions::Versions;

use crate::chain::{Hash, LogFault};
use crate::plan::{EventRow, KnownJobs};
use crate::{CheckpointPolicy, LogRow, Options};

/// How many of its own events a process keeps between two checkpoints. Beyond that it reads them again.
const KEPT: usize = 50_000;

/// The state of vouching for a store in a process.
#[derive(Debug, Default)]
pub struct Vouching {
    /// Why signing the log has stopped, if it has.
    broken: Mutex<Option<LogFault>>,
    /// The end of the log as known to this process.
    end: Mutex<LogEnd>,
    /// Whether rules and policies, which settle decisions by themselves, count only if their events are proven.
    is_strict: bool,
    /// Whether a commit could not be signed with its batch.
    unsigned: AtomicBool,
    /// The batches that this process has committed and not signed yet.
    written: Mutex<Vec<WrittenBatch>>,
    /// The events that were found proven.
    proven: Mutex<seen::ProvenHashes>,
    /// The latest known version of each stream.
    versions: Versions,
    /// Events that were needed, but not found proven yet.
    unknown: Mutex<Vec<LogRow>>,
    /// The fault found by a check of the complete log, with the time of the last accepted break that this check knew,
    /// in milliseconds.
    tampered: Mutex<Option<(LogFault, i64)>>,
    /// Notified when events differ from those that this process has seen.
    missed: Notify,
    /// When a break was last accepted, in milliseconds.
    accepted_at: AtomicI64,
    /// The state of jobs according to proven events.
    pub(crate) jobs: KnownJobs,
    /// The roots of complete blocks of the Merkle tree, as computed for proofs.
    blocks: Mutex<Vec<Hash>>,
}

/// The data of a batch of this process that its signer needs.
#[derive(Debug)]
pub(crate) struct WrittenBatch {
    pub(crate) first: i64,
    pub(crate) prev: Hash,
    pub(crate) hashes: Vec<Hash>,
    pub(crate) at: i64,
}

impl Vouching {
    /// With a signer and checkpoints by the caller, as on a server that authenticates callers, makes rules and policies
    /// count only if their events are proven. An embedded store is shared by everyone who can write to it.
    pub(crate) fn with(options: &Options) -> Self {
        let is_strict = options.signer.is_some() && options.policy == CheckpointPolicy::ByCaller;
        Self { is_strict, ..Self::default() }
    }

    /// Returns whether rules and policies count only if their events are proven.
    pub const fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Returns why signing the log has stopped, if it has.
    pub fn broken(&self) -> Option<LogFault> {
        self.tampered().or_else(|| self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Returns the fault found by a check of the complete log, unless it was accepted since.
    pub fn tampered(&self) -> Option<LogFault> {
        let tampered = self.tampered.lock().unwrap_or_else(PoisonError::into_inner);
        tampered.as_ref().map(|(fault, _)| fault.clone())
    }

    /// Records a fault found by a check of the complete log, with the time of the last accepted break, in milliseconds.
    /// It counts until an admin accepts it, on any node.
    pub fn found_in_whole(&self, fault: LogFault, accepted_at: i64) {
        *self.tampered.lock().unwrap_or_else(PoisonError::into_inner) = Some((fault, accepted_at));
    }

    /// Requests a check of the complete log, because some events differ from those that this process has seen.
    pub fn note_missed(&self) {
        self.missed.notify_one();
    }

    /// Waits for such a request.
    pub async fn missed(&self) {
        self.missed.notified().await;
    }

    /// Applies an admin's acceptance: the log as of then is the one that counts.
    fn accepted(&self, accepted_at: i64) {
        if self.accepted_at.swap(accepted_at, Ordering::AcqRel) < accepted_at {
            self.versions.forget();
        }
        let mut tampered = self.tampered.lock().unwrap_or_else(PoisonError::into_inner);
        if tampered.as_ref().is_some_and(|(_, before)| *before < accepted_at) {
            *tampered = None;
        }
    }

    /// Records the result of a check.
    pub(crate) fn found(&self, fault: Option<LogFault>) {
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    fn end(&self) -> MutexGuard<'_, LogEnd> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a commit has to be signed.
    pub(crate) fn leave_unsigned(&self) {
        self.unsigned.store(true, Ordering::Release);
    }

    /// Returns whether a commit has to be signed, which is then up to the caller.
    pub(crate) fn take_unsigned(&self) -> bool {
        self.unsigned.swap(false, Ordering::AcqRel)
    }

    /// Records a batch that was just committed.
    pub(crate) fn note_written_batch(&self, events: &[EventRow]) {
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return };
        // Events about the log and its keys change which keys are trusted, so they are read from the log itself.
        if events.iter().any(|event| is_act(event.tag)) {
            return;
        }
        let hashes = events.iter().map(|event| event.hash).collect();
        let batch = WrittenBatch { first: first.seq, prev: first.prev, hashes, at: last.at.as_millis() };
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if written.len() >= KEPT {
            written.clear();
        }
        written.push(batch);
    }

    pub(crate) fn known_blocks(&self) -> Vec<Hash> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keep_blocks(&self, blocks: &[Hash]) {
        let mut kept = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if blocks.len() > kept.len() {
            *kept = blocks.to_vec();
        }
    }

    pub(crate) fn take_written(&self) -> Vec<WrittenBatch> {
        std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
