//! Who vouches for the log. Every batch carries a proof of which key wrote it; the signer of a checkpoint remembers,
//! beside its key, how far it has vouched, and signs nothing that does not run through that.
//!
//! What is remembered never comes from the store: an attacker who can write the store must not be able to change it.

mod check;
mod end;
mod points;
mod proof;
mod proofs;
mod remembered;
mod seen;
mod tree;
mod versions;
mod walk;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub use check::{Checked, attest, check, runs_through_remembered, sign};
pub(crate) use end::Committed;
use end::End;
pub(crate) use points::{after_commit, with_commit};
pub use points::{is_signed, statement};
pub use proof::{KeyId, Proof, message};
pub(crate) use proof::{Readers, seal};
pub use proofs::{begins_with, consistency, includes, inclusion};
pub(crate) use remembered::store_id;
pub use remembered::{Identity, Lost, Remembered};
pub use tree::Tree;
use versions::Versions;

use crate::Link;
use crate::chain::{Hash, LogFault};
use crate::plan::{EventRow, KnownJobs};

/// How many events of its own a process keeps in mind between two checkpoints. Beyond that it reads them again.
const KEPT: usize = 50_000;

/// What a process knows about vouching for its store.
#[derive(Debug, Default)]
pub struct Vouching {
    /// Why signing the log has stopped, if it is not.
    broken: Mutex<Option<LogFault>>,
    /// What this process has seen of the log's end.
    end: Mutex<End>,
    /// Whether a commit could not be signed along with its batch.
    unsigned: AtomicBool,
    /// What this process has committed and not signed yet.
    written: Mutex<Vec<Written>>,
    /// The events that were proven to it.
    proven: Mutex<seen::Proven>,
    /// How far it has seen each stream come.
    versions: Versions,
    /// Events that were to be relied on and that nobody has proven to it yet.
    unknown: Mutex<Vec<Link>>,
    /// What a check of the complete log found, and when a break had last been accepted by then, in milliseconds.
    tampered: Mutex<Option<(LogFault, i64)>>,
    /// Told when events about something are not those that this process has seen.
    missed: Notify,
    /// When a break was last accepted, in milliseconds.
    accepted_at: AtomicI64,
    /// What proven events make of jobs.
    pub(crate) jobs: KnownJobs,
    /// The roots of complete blocks of the Merkle tree, as they were worked out for proofs.
    blocks: Mutex<Vec<Hash>>,
}

/// A batch of this process, as far as it matters to its signer.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) first: i64,
    pub(crate) prev: Hash,
    pub(crate) hashes: Vec<Hash>,
    pub(crate) at: i64,
}

impl Vouching {
    /// Returns why signing the log has stopped, if it is not.
    pub fn broken(&self) -> Option<LogFault> {
        self.tampered().or_else(|| self.broken.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Returns what a check of the complete log found, if nobody has accepted it yet.
    pub fn tampered(&self) -> Option<LogFault> {
        let tampered = self.tampered.lock().unwrap_or_else(PoisonError::into_inner);
        tampered.as_ref().map(|(fault, _)| fault.clone())
    }

    /// Notes what a check of the complete log found, in which a break was last accepted at some time, in milliseconds. It
    /// counts until an admin accepts it, on whichever node.
    pub fn found_in_whole(&self, fault: LogFault, accepted_at: i64) {
        *self.tampered.lock().unwrap_or_else(PoisonError::into_inner) = Some((fault, accepted_at));
    }

    /// Notes that events about something are not those that this process has seen: the complete log is to be checked.
    pub fn note_missed(&self) {
        self.missed.notify_one();
    }

    /// Waits until that is noted.
    pub async fn missed(&self) {
        self.missed.notified().await;
    }

    /// Takes an admin's word for what was found before: the log as it is then is the one that counts.
    fn accepted(&self, accepted_at: i64) {
        if self.accepted_at.swap(accepted_at, Ordering::AcqRel) < accepted_at {
            self.versions.forget();
        }
        let mut tampered = self.tampered.lock().unwrap_or_else(PoisonError::into_inner);
        if tampered.as_ref().is_some_and(|(_, before)| *before < accepted_at) {
            *tampered = None;
        }
    }

    /// Notes what a check found.
    pub(crate) fn found(&self, fault: Option<LogFault>) {
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    fn end(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a commit waits to be signed.
    pub(crate) fn leave_unsigned(&self) {
        self.unsigned.store(true, Ordering::Release);
    }

    /// Returns whether a commit waits to be signed; it is then the caller's to do.
    pub(crate) fn take_unsigned(&self) -> bool {
        self.unsigned.swap(false, Ordering::AcqRel)
    }

    /// Keeps a batch in mind that was just committed.
    pub(crate) fn wrote(&self, events: &[EventRow]) {
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return };
        // What is done about the log and its keys changes whom to believe: that is read from the log itself.
        if events.iter().any(|event| walk::is_act(event.tag)) {
            return;
        }
        let hashes = events.iter().map(|event| event.hash).collect();
        let batch = Written { first: first.seq, prev: first.prev, hashes, at: last.at.as_millis() };
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

    pub(crate) fn take_written(&self) -> Vec<Written> {
        std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
