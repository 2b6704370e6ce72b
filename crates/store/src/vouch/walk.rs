//! Walks the log from what is remembered, and finds the first thing that cannot be vouched for.

use std::collections::{BTreeMap, VecDeque};

use holdpoint_core::Event;

use super::{KeyId, Proof, Remembered, Tree, is_signed, message};
use crate::chain::{self, GENESIS, Hash, LogFault, Wrong, body_hash, event_hash, hex, unhex};
use crate::{Checkpoint, Link, Signer, body};

/// How many events of one batch are kept in mind; a batch is never that long.
const LONGEST: usize = 100_000;
/// How many missing events a tree can be built over.
const MOST_MISSING: i64 = 1_000_000;

/// Returns whether an event says whom to believe: it counts only if a known key answers for it.
pub(super) fn is_act(tag: &str) -> bool {
    matches!(tag, chain::ACCEPTED | chain::ROTATED | chain::REVOKED)
}

/// How strictly a walk looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From what is remembered: every batch must be proven by a known key.
    Strict,
    /// The store was never seen before: what is there counts, unless it contradicts itself or our own key.
    FirstContact,
    /// The log is broken: looks for the statement of an admin, given after this time, that goes on from there strictly.
    Scan {
        /// When the last event that is remembered happened.
        after: i64,
    },
}

/// Up to where keys answer for their own batches, by checkpoints that fit the log.
pub(super) type Attested = BTreeMap<KeyId, i64>;

/// A walk in progress.
pub(super) struct Walk<'a> {
    signer: &'a dyn Signer,
    own: KeyId,
    trusted: Vec<KeyId>,
    attested: &'a Attested,
    /// Checkpoints of trusted keys that the log must fit, the last first.
    points: Vec<&'a Checkpoint>,
    mode: Mode,
    /// As far as everything was sound.
    pub(super) reached: Remembered,
    tree: Tree,
    batch: Batch,
    pub(super) fault: Option<LogFault>,
    /// Whether own batches were among what was read.
    pub(super) has_own: bool,
    /// Whether another key's checkpoint is needed to know whom to believe.
    pub(super) needs_attestation: bool,
    /// Public keys that took the place of known ones, in hex.
    pub(super) successors: Vec<String>,
}

/// What was read since the last proof.
struct Batch {
    /// Each event, and what it follows on.
    events: VecDeque<(i64, Hash)>,
    hash: Hash,
    acts: Vec<Act>,
}

/// An event that says whom to believe.
struct Act {
    seq: i64,
    at: i64,
    event: Event,
}

impl<'a> Walk<'a> {
    /// Starts after what is remembered.
    pub(super) fn new(
        signer: &'a dyn Signer,
        from: Remembered,
        mode: Mode,
        attested: &'a Attested,
        points: &'a [Checkpoint],
    ) -> Option<Self> {
        let own = id_of(&signer.key())?;
        let mut keys = signer.trusted();
        keys.push(signer.public_key());
        // The last first: each is taken when its event comes.
        let points = points.iter().rev().filter(|point| keys.contains(&point.public_key)).collect();
        let trusted: Vec<KeyId> = keys.iter().filter_map(|key| id_of(&chain::key_id(key))).collect();
        let hash: Hash = unhex(&from.hash)?.try_into().ok()?;
        let batch = Batch { events: VecDeque::new(), hash, acts: Vec::new() };
        Some(Self {
            signer,
            own,
            trusted,
            attested,
            points,
            mode,
            tree: from.tree()?,
            reached: from,
            batch,
            fault: None,
            has_own: false,
            needs_attestation: false,
            successors: Vec::new(),
        })
    }

    /// Looks at the next event; returns whether to go on.
    pub(super) fn step(&mut self, link: &Link) -> bool {
        if let Some((seq, wrong)) = self.wrong_with(link) {
            self.found(seq, wrong);
        }
        let Some(hash) = unhex(&link.hash).and_then(|hash| Hash::try_from(hash).ok()) else { return false };
        if !self.fill(link.seq) {
            return false;
        }
        self.tree.push(&hash);
        self.batch.events.push_back((link.seq, self.batch.hash));
        if self.batch.events.len() > LONGEST {
            self.batch.events.pop_front();
        }
        self.batch.hash = hash;
        self.hold_against_points(link);
        self.batch.acts.extend(act(link));
        if let Some(proof) = &link.proof {
            self.end_batch(link.seq, link.at, proof);
        }
        self.fault.is_none()
    }

    /// Ends the walk at the end of the log.
    pub(super) fn finish(&mut self, at: i64) {
        let head = self.tree.size().cast_signed();
        if let Some(point) = self.points.first().filter(|point| point.seq > head && is_signed(point)) {
            self.found(point.seq, Wrong::CutOff { head });
        }
        let (Some((first, _)), Some((last, _))) = (self.batch.events.front(), self.batch.events.back())
        else {
            return;
        };
        let (first, last) = (*first, *last);
        self.found(first, Wrong::Unproven { until: last });
        self.reach(last, at);
    }

    fn hold_against_points(&mut self, link: &Link) {
        while let Some(point) = self.points.pop_if(|point| point.seq <= link.seq) {
            if point.seq == link.seq && point.hash != link.hash && is_signed(point) {
                self.found(link.seq, Wrong::Signed { key: point.key.clone() });
            }
        }
    }

    /// Fills the tree where events are missing, so that those behind keep their places.
    fn fill(&mut self, seq: i64) -> bool {
        let missing = seq - 1 - self.tree.size().cast_signed();
        if !(0..MOST_MISSING).contains(&missing) {
            return false;
        }
        (0..missing).for_each(|_| self.tree.push(&GENESIS));
        true
    }

    fn wrong_with(&self, link: &Link) -> Option<(i64, Wrong)> {
        let expected = self.tree.size().cast_signed() + 1;
        if link.seq != expected {
            return Some((expected, Wrong::Missing { until: link.seq }));
        }
        if link.prev != hex(&self.batch.hash) {
            return Some((link.seq, Wrong::Prev));
        }
        let right =
            event_hash(link.seq, &link.stream, link.version, &link.tag, link.at, &link.body_hash, &link.prev);
        (hex(&right) != link.hash).then_some((link.seq, Wrong::Hash))
    }

    fn end_batch(&mut self, last: i64, at: i64, proof: &[u8]) {
        let first = self.batch.events.front().map_or(last, |(seq, _)| *seq);
        let proof = Proof::read(proof);
        let follows = proof.and_then(|proof| {
            let begin = self.batch.events.iter().rev().find(|(seq, _)| *seq == proof.first)?;
            Some((proof, begin.1))
        });
        match follows {
            None => self.found(first, Wrong::Unproven { until: last }),
            Some((proof, prev)) => {
                if proof.first > first {
                    self.found(first, Wrong::Unproven { until: proof.first - 1 });
                }
                match self.wrong_by(&proof, &prev, last) {
                    Some(wrong) => self.found(proof.first, wrong),
                    None => self.act(&proof, last),
                }
            }
        }
        self.reach(last, at);
    }

    fn wrong_by(&mut self, proof: &Proof, prev: &Hash, last: i64) -> Option<Wrong> {
        let key = proof.key_name();
        if proof.key == self.own {
            self.has_own = true;
            if self.reached.revoked.contains(&key) {
                return Some(Wrong::Stranger { key, until: last });
            }
            let (_, right) = self.signer.seal(&message(proof.first, last, prev, &self.batch.hash));
            return (right != proof.mac).then_some(Wrong::Forged { key });
        }
        let signed = proof.is_signed(&message(proof.first, last, prev, &self.batch.hash));
        if signed == Some(false) {
            return Some(Wrong::Forged { key });
        }
        if self.is_known(proof) {
            // Only the key itself can check a MAC: without a signature, it answers by its next checkpoint.
            let is_answered = signed.is_some() || self.attested.get(&proof.key).is_some_and(|to| *to >= last);
            self.needs_attestation |= !is_answered;
            return (!is_answered).then_some(Wrong::Unproven { until: last });
        }
        if self.mode == Mode::FirstContact {
            self.reached.keys.push(key);
            return None;
        }
        Some(Wrong::Stranger { key, until: last })
    }

    /// Takes everything so far as sound, if nothing was found.
    fn reach(&mut self, last: i64, at: i64) {
        self.batch.events.clear();
        self.batch.acts.clear();
        if self.fault.is_none() {
            self.reached.seq = last;
            self.reached.hash = hex(&self.batch.hash);
            self.reached.at = at;
            self.reached.tree = self.tree.edge();
        }
    }

    fn is_known(&self, proof: &Proof) -> bool {
        let name = proof.key_name();
        (self.trusted.contains(&proof.key) || self.reached.keys.contains(&name))
            && !self.reached.revoked.contains(&name)
    }

    /// Carries out what a batch says about whom to believe, if a key answers for it.
    fn act(&mut self, proof: &Proof, last: i64) {
        let mut acts = std::mem::take(&mut self.batch.acts);
        acts.retain(|act| act.seq >= proof.first);
        if acts.is_empty() || self.fault.is_some() {
            return;
        }
        let answered = proof.key == self.own
            || proof.signature.is_some()
            || self.attested.get(&proof.key).is_some_and(|to| *to >= last);
        if !answered {
            self.needs_attestation = true;
            return;
        }
        for Act { at, event, .. } in acts {
            match (event, self.mode) {
                (Event::KeyRotated { to, public_key, .. }, _) => {
                    if chain::key_id(&public_key) == to {
                        self.successors.push(public_key);
                    }
                    self.reached.keys.push(to);
                }
                (Event::KeyRevoked { key, .. }, _) => {
                    self.reached.keys.retain(|known| *known != key);
                    self.reached.revoked.push(key);
                }
                (Event::LogAccepted { .. }, Mode::Scan { after }) if at > after => {
                    self.mode = Mode::Strict;
                    self.reached.accepted_at = at;
                    self.reached.signed = 0;
                }
                (Event::LogAccepted { .. }, Mode::Strict | Mode::FirstContact) => {
                    self.reached.accepted_at = self.reached.accepted_at.max(at);
                }
                _ => {}
            }
        }
    }

    fn found(&mut self, seq: i64, what: Wrong) {
        // What an admin may have accepted is not a fault before it is known whether one did, nor is what was written
        // before batches were proven.
        let counts = !matches!(
            (self.mode, &what),
            (Mode::Scan { .. }, _) | (Mode::FirstContact, Wrong::Unproven { .. })
        );
        if counts && self.fault.is_none() {
            self.fault = Some(LogFault { seq, what });
        }
    }

    /// Returns whether an admin's word was found.
    pub(super) fn is_accepted(&self) -> bool {
        !matches!(self.mode, Mode::Scan { .. })
    }
}

/// Reads a key's id as it is shown.
pub(super) fn id_of(name: &str) -> Option<KeyId> {
    unhex(name.strip_prefix("key-")?)?.try_into().ok()
}

/// Returns what an event says about whom to believe, if it does and is what was recorded.
fn act(link: &Link) -> Option<Act> {
    let text = link.body.as_deref().filter(|_| is_act(&link.tag))?;
    let event = body::decode(&link.tag, text).ok()?;
    (hex(&body_hash(text)) == link.body_hash).then_some(Act { seq: link.seq, at: link.at, event })
}
