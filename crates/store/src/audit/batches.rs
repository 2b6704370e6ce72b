//! Which key wrote what: the batches of a log, and who answers for them.

use std::collections::BTreeMap;

use holdpoint_core::{Event, LogDigest, Timestamp};

use super::acceptance;
use crate::chain::{self, Hash, LogFault, Wrong, unhex};
use crate::vouch::{Proof, message};
use crate::{Link, Signer};

/// The statement of an admin by which the log continues after a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Its place in the log.
    pub seq: i64,
    /// When it was given.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
    /// Why.
    pub reason: String,
    /// What had been found, in words.
    pub found: String,
    /// The log as it was accepted; none if that was not recorded.
    pub log: Option<LogDigest>,
    /// What is found now, before it in the log.
    pub faults: Vec<LogFault>,
}

/// The batches of a log, as they are read.
pub(super) struct Batches<'a> {
    signer: Option<&'a dyn Signer>,
    own: Option<String>,
    /// Each event since the last proof, and what it follows on.
    open: Vec<(i64, Option<Hash>)>,
    /// The last event before the first proof.
    legacy: i64,
    done: Vec<Batch>,
    words: Vec<Accepted>,
    revoked: BTreeMap<String, i64>,
    pub(super) faults: Vec<LogFault>,
}

struct Batch {
    first: i64,
    last: i64,
    key: String,
    /// Whether our own key says that it wrote this.
    is_ours: bool,
}

impl<'a> Batches<'a> {
    pub(super) fn new(signer: Option<&'a dyn Signer>) -> Self {
        Self {
            signer,
            own: signer.map(Signer::key),
            open: Vec::new(),
            legacy: 0,
            done: Vec::new(),
            words: Vec::new(),
            revoked: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Takes the next event.
    pub(super) fn step(&mut self, link: &Link) {
        self.words.extend(acceptance(link));
        if let Some(key) = revoked(link) {
            self.revoked.entry(key).or_insert(link.seq);
        }
        if self.done.is_empty() && link.proof.is_none() && self.open.len() > 100_000 {
            // Before the first proof there is nothing to hold events for.
            self.legacy = self.open.pop().map_or(self.legacy, |(seq, _)| seq);
            self.open.clear();
        }
        let prev = unhex(&link.prev).and_then(|prev| prev.try_into().ok());
        self.open.push((link.seq, prev));
        if let Some(proof) = &link.proof {
            self.close(link, proof);
        }
    }

    fn close(&mut self, link: &Link, proof: &[u8]) {
        let open = std::mem::take(&mut self.open);
        let first = open.first().map_or(link.seq, |(seq, _)| *seq);
        let begins = |proof: &Proof| open.iter().rev().find(|(seq, _)| *seq == proof.first).copied();
        let Some((proof, (begin, prev))) =
            Proof::read(proof).and_then(|proof| Some((proof, begins(&proof)?)))
        else {
            self.fault(first, Wrong::Unproven { until: link.seq });
            return;
        };
        if begin > first {
            if self.done.is_empty() {
                self.legacy = begin - 1;
            } else {
                self.fault(first, Wrong::Unproven { until: begin - 1 });
            }
        }
        let key = proof.key_name();
        let hash = unhex(&link.hash).and_then(|hash| Hash::try_from(hash).ok()).unwrap_or_default();
        let batch = message(begin, link.seq, &prev.unwrap_or_default(), &hash);
        let mut is_ours = false;
        if let (Some(signer), true) = (self.signer, self.own.as_ref() == Some(&key)) {
            is_ours = signer.seal(&batch).1 == proof.mac;
        }
        let holds = is_ours || (self.own.as_ref() != Some(&key) && proof.is_signed(&batch) != Some(false));
        if !holds {
            self.fault(begin, Wrong::Forged { key: key.clone() });
        }
        if self.revoked.get(&key).is_some_and(|since| *since < begin) {
            self.fault(begin, Wrong::Stranger { key: key.clone(), until: link.seq });
        }
        self.done.push(Batch { first: begin, last: link.seq, key, is_ours });
    }

    /// Ends at the end of the log.
    pub(super) fn end(&mut self) {
        let (Some((first, _)), Some((last, _))) = (self.open.first(), self.open.last()) else { return };
        let (first, last) = (*first, *last);
        if self.done.is_empty() {
            self.legacy = last;
        } else {
            self.fault(first, Wrong::Unproven { until: last });
        }
    }

    /// Returns the words of admins for which a key answers; `answers` is up to where each does.
    pub(super) fn accepted(&self, answers: &BTreeMap<String, i64>) -> Vec<Accepted> {
        let answered = |word: &&Accepted| {
            let batch = self.done.iter().find(|batch| (batch.first..=batch.last).contains(&word.seq));
            batch.is_some_and(|batch| batch.is_ours || is_answered(batch, answers))
        };
        self.words.iter().filter(answered).cloned().collect()
    }

    /// Returns up to where the keys together answer for everything before the first fault.
    pub(super) fn vouched_to(
        &self,
        answers: &BTreeMap<String, i64>,
        accepted: &[Accepted],
        first_fault: i64,
    ) -> i64 {
        // What was written without proofs is vouched for by its signer. What an admin accepted counts from there.
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

    fn fault(&mut self, seq: i64, what: Wrong) {
        self.faults.push(LogFault { seq, what });
    }
}

fn is_answered(batch: &Batch, answers: &BTreeMap<String, i64>) -> bool {
    answers.get(&batch.key).is_some_and(|to| *to >= batch.last)
}

fn revoked(link: &Link) -> Option<String> {
    let text = link.body.as_deref().filter(|_| link.tag == chain::REVOKED)?;
    match crate::body::decode(&link.tag, text).ok()? {
        Event::KeyRevoked { key, .. } => Some(key),
        _ => None,
    }
}
