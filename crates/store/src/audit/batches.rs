//! Attributes the batches of a log to keys, and tells which keys answer for them.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::{Event, LogDigest, Timestamp};

use crate::chain::{FaultKind, Hash, LogFault, unhex};
use crate::vouch::{Proof, TrustChange, TrustChanges, message};
use crate::{LogRow, Signer};

/// An admin's statement that lets the log continue after a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its place in the log.
    pub seq: i64,
    /// When it was made.
    pub at: Timestamp,
    /// Who made it.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// A description of what had been found.
    pub found: String,
    /// The log as it was accepted; none if that was not recorded.
    pub log: Option<LogDigest>,
    /// The faults found now that it covers.
    pub faults: Vec<LogFault>,
}

/// The batches of a log, collected while it is read.
pub(super) struct Batches<'a> {
    signer: Option<&'a dyn Signer>,
    own: Option<String>,
    /// Each event since the last proof, with the hash that it names as its predecessor.
    open: Vec<(i64, Option<Hash>)>,
    /// The last event before the first proof.
    legacy: i64,
    done: Vec<Batch>,
    acts: TrustChanges,
    /// The keys whose orders count, unless they were revoked before.
    known: BTreeSet<String>,
    revoked: BTreeSet<String>,
    pub(super) faults: Vec<LogFault>,
}

struct Batch {
    last: i64,
    key: String,
    /// Whether its key is known and proves that it wrote this batch.
    is_proven: bool,
    words: Vec<Accepted>,
}

impl<'a> Batches<'a> {
    pub(super) fn new(signer: Option<&'a dyn Signer>, mut known: BTreeSet<String>) -> Self {
        let own = signer.map(Signer::key);
        known.extend(own.clone());
        Self {
            signer,
            own,
            open: Vec::new(),
            legacy: 0,
            done: Vec::new(),
            acts: TrustChanges::default(),
            known,
            revoked: BTreeSet::new(),
            faults: Vec::new(),
        }
    }

    /// Processes the next event.
    pub(super) fn step(&mut self, link: &LogRow) {
        self.acts.step(link);
        if self.done.is_empty() && link.proof.is_none() && self.open.len() > 100_000 {
            // Before the first proof, events need not be kept.
            self.legacy = self.open.pop().map_or(self.legacy, |(seq, _)| seq);
            self.open.clear();
        }
        let prev = unhex(&link.prev).and_then(|prev| prev.try_into().ok());
        self.open.push((link.seq, prev));
        if let Some(proof) = &link.proof {
            self.close(link, proof);
        }
    }

    fn close(&mut self, link: &LogRow, proof: &[u8]) {
        let open = std::mem::take(&mut self.open);
        let first = open.first().map_or(link.seq, |(seq, _)| *seq);
        let begins = |proof: &Proof| open.iter().rev().find(|(seq, _)| *seq == proof.first).copied();
        let Some((proof, (begin, prev))) =
            Proof::read(proof).and_then(|proof| Some((proof, begins(&proof)?)))
        else {
            self.acts = TrustChanges::default();
            self.fault(first, FaultKind::Unproven { until: link.seq });
            return;
        };
        if begin > first {
            if self.done.is_empty() {
                self.legacy = begin - 1;
            } else {
                self.fault(first, FaultKind::Unproven { until: begin - 1 });
            }
        }
        let key = proof.key_name();
        let hash = unhex(&link.hash).and_then(|hash| Hash::try_from(hash).ok()).unwrap_or_default();
        let batch = message(begin, link.seq, &prev.unwrap_or_default(), &hash);
        let is_own = self.own.as_ref() == Some(&key);
        let signed = match self.signer.filter(|_| is_own) {
            Some(signer) => Some(signer.seal(&batch).1 == proof.mac),
            None => proof.is_signed(&batch),
        };
        if signed == Some(false) {
            self.fault(begin, FaultKind::Forged { key: key.clone() });
        }
        if self.revoked.contains(&key) {
            self.fault(begin, FaultKind::Stranger { key: key.clone(), until: link.seq });
        }
        let is_proven = signed == Some(true) && self.known.contains(&key) && !self.revoked.contains(&key);
        let acts = self.acts.take(begin);
        let words =
            if signed == Some(false) { Vec::new() } else { acts.iter().filter_map(acceptance).collect() };
        self.done.push(Batch { last: link.seq, key, is_proven, words });
        for TrustChange { event, .. } in acts.into_iter().filter(|_| is_proven) {
            match event {
                Event::KeyRotated { to, .. } => self.known.extend([to]),
                Event::KeyRevoked { key, .. } => self.revoked.extend([key]),
                _ => {}
            }
        }
    }

    /// Processes the end of the log.
    pub(super) fn end(&mut self) {
        let (Some((first, _)), Some((last, _))) = (self.open.first(), self.open.last()) else { return };
        let (first, last) = (*first, *last);
        if self.done.is_empty() {
            self.legacy = last;
        } else {
            self.fault(first, FaultKind::Unproven { until: last });
        }
    }

    /// Returns the statements of admins that a key answers for; `answers` tells up to where each key does.
    pub(super) fn accepted(&self, answers: &BTreeMap<String, i64>) -> Vec<Accepted> {
        let counts = |batch: &&Batch| batch.is_proven || is_answered(batch, answers);
        self.done.iter().filter(counts).flat_map(|batch| batch.words.clone()).collect()
    }

    /// Returns up to where the keys together vouch for everything before the first fault.
    pub(super) fn vouched_to(
        &self,
        answers: &BTreeMap<String, i64>,
        accepted: &[Accepted],
        first_fault: i64,
    ) -> i64 {
        // Events without proofs are vouched for by the signer of a later checkpoint. After an accepted break, counting
        // starts there.
        let furthest = answers.values().copied().max().unwrap_or_default();
        let mut to = furthest.min(self.legacy);
        let floor = accepted.iter().map(|accepted| accepted.seq).max().unwrap_or_default();
        if to < self.legacy && self.legacy > floor {
            return to.min(first_fault - 1).max(0);
        }
        for batch in self.done.iter().filter(|batch| batch.last < first_fault) {
            if !is_answered(batch, answers) && batch.last > floor {
                break;
            }
            to = batch.last;
        }
        if answers.is_empty() { 0 } else { to.min(first_fault - 1).max(0) }
    }

    fn fault(&mut self, seq: i64, what: FaultKind) {
        self.faults.push(LogFault { seq, what });
    }
}

fn is_answered(batch: &Batch, answers: &BTreeMap<String, i64>) -> bool {
    answers.get(&batch.key).is_some_and(|to| *to >= batch.last)
}

/// Reads an admin's acceptance from an act, if it is one.
fn acceptance(act: &TrustChange) -> Option<Accepted> {
    let Event::LogAccepted { reason, found, by, log, .. } = act.event.clone() else { return None };
    let at = Timestamp::from_millis(act.at);
    Some(Accepted { seq: act.seq, at, by, reason, found, log, faults: Vec::new() })
}
