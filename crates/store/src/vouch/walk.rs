//! Walks the log from the remembered state, and finds the first event that cannot be vouched for.

use std::collections::{BTreeMap, VecDeque};

use holdpoint_core::Event;

use super::acts::{TrustChange, TrustChanges};
use super::{KeyId, Proof, Remembered, Tree, is_signed, message};
use crate::chain::{self, FaultKind, GENESIS, Hash, LogFault, event_hash, hex, unhex};
use crate::{Checkpoint, LogRow, Signer};

/// How many events of one batch are kept; batches are never that long.
const LONGEST: usize = 100_000;
/// The maximum number of missing events for which a tree can be built.
const MOST_MISSING: i64 = 1_000_000;

/// How strict a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkMode {
    /// From the remembered state: every batch must be proven by a known key.
    Strict,
    /// The store was never seen before: its content counts, unless it contradicts itself or our own key.
    FirstContact,
    /// The log is broken: the walk searches for an admin's acceptance after this time, and continues strictly from
    /// there.
    Scan {
        /// When the last remembered event happened.
        after: i64,
    },
}

/// Up to where keys vouch for their own batches, by checkpoints that match the log.
pub(super) type Attested = BTreeMap<KeyId, i64>;

/// A walk in progress.
pub(super) struct LogWalk<'a> {
    signer: &'a dyn Signer,
    own: KeyId,
    trusted: Vec<KeyId>,
    attested: &'a Attested,
    /// Checkpoints of trusted keys that the log must match, last first.
    points: Vec<&'a Checkpoint>,
    mode: WalkMode,
    /// The state up to which everything was sound.
    pub(super) reached: Remembered,
    tree: Tree,
    batch: Batch,
    pub(super) fault: Option<LogFault>,
    /// Whether the walk has read batches of our own key.
    pub(super) has_own: bool,
    /// Whether another key's checkpoints are needed to decide which keys are trusted.
    pub(super) needs_attestation: bool,
    /// Public keys that replaced known ones, in hex.
    pub(super) successors: Vec<String>,
}

/// The events read since the last proof.
struct Batch {
    /// Each event, with the hash of its predecessor.
    events: VecDeque<(i64, Hash)>,
    hash: Hash,
    acts: TrustChanges,
}

impl<'a> LogWalk<'a> {
    /// Starts a walk after the remembered state.
    pub(super) fn new(
        signer: &'a dyn Signer,
        from: Remembered,
        mode: WalkMode,
        attested: &'a Attested,
        points: &'a [Checkpoint],
    ) -> Option<Self> {
        let own = id_of(&signer.key())?;
        let mut keys = signer.trusted();
        keys.push(signer.public_key());
        // Last first, so that each is removed from the end when its event comes.
        let points = points.iter().rev().filter(|point| keys.contains(&point.public_key)).collect();
        let trusted: Vec<KeyId> = keys.iter().filter_map(|key| id_of(&chain::key_id(key))).collect();
        let hash: Hash = unhex(&from.hash)?.try_into().ok()?;
        let batch = Batch { events: VecDeque::new(), hash, acts: TrustChanges::default() };
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

    /// Checks the next event; returns whether to continue.
    pub(super) fn step(&mut self, link: &LogRow) -> bool {
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
        self.batch.acts.step(link);
        if let Some(proof) = &link.proof {
            self.end_batch(link.seq, link.at, proof);
        }
        self.fault.is_none()
    }

    /// Ends the walk at the end of the log.
    pub(super) fn finish(&mut self, at: i64) {
        let head = self.tree.size().cast_signed();
        if let Some(point) = self.points.first().filter(|point| point.seq > head && is_signed(point)) {
            self.found(point.seq, FaultKind::CutOff { head });
        }
        let (Some((first, _)), Some((last, _))) = (self.batch.events.front(), self.batch.events.back())
        else {
            return;
        };
        let (first, last) = (*first, *last);
        self.found(first, FaultKind::Unproven { until: last });
        self.reach(last, at);
    }

    fn hold_against_points(&mut self, link: &LogRow) {
        while let Some(point) = self.points.pop_if(|point| point.seq <= link.seq) {
            if point.seq == link.seq && point.hash != link.hash && is_signed(point) {
                self.found(link.seq, FaultKind::Signed { key: point.key.clone() });
            }
        }
    }

    /// Fills the tree where events are missing, so that later events keep their positions.
    fn fill(&mut self, seq: i64) -> bool {
        let missing = seq - 1 - self.tree.size().cast_signed();
        if !(0..MOST_MISSING).contains(&missing) {
            return false;
        }
        (0..missing).for_each(|_| self.tree.push(&GENESIS));
        true
    }

    fn wrong_with(&self, link: &LogRow) -> Option<(i64, FaultKind)> {
        let expected = self.tree.size().cast_signed() + 1;
        if link.seq != expected {
            return Some((expected, FaultKind::Missing { until: link.seq }));
        }
        if link.prev != hex(&self.batch.hash) {
            return Some((link.seq, FaultKind::Prev));
        }
        let right =
            event_hash(link.seq, &link.stream, link.version, &link.tag, link.at, &link.body_hash, &link.prev);
        (hex(&right) != link.hash).then_some((link.seq, FaultKind::Hash))
    }

    fn end_batch(&mut self, last: i64, at: i64, proof: &[u8]) {
        let first = self.batch.events.front().map_or(last, |(seq, _)| *seq);
        let proof = Proof::read(proof);
        let follows = proof.and_then(|proof| {
            let begin = self.batch.events.iter().rev().find(|(seq, _)| *seq == proof.first)?;
            Some((proof, begin.1))
        });
        match follows {
            None => self.found(first, FaultKind::Unproven { until: last }),
            Some((proof, prev)) => {
                if proof.first > first {
                    self.found(first, FaultKind::Unproven { until: proof.first - 1 });
                }
                match self.wrong_by(&proof, &prev, last) {
                    Some(wrong) => self.found(proof.first, wrong),
                    None => self.act(&proof),
                }
            }
        }
        self.reach(last, at);
    }

    fn wrong_by(&mut self, proof: &Proof, prev: &Hash, last: i64) -> Option<FaultKind> {
        let key = proof.key_name();
        if proof.key == self.own {
            self.has_own = true;
            if self.reached.revoked.contains(&key) {
                return Some(FaultKind::Stranger { key, until: last });
            }
            let (_, right) = self.signer.seal(&message(proof.first, last, prev, &self.batch.hash));
            return (right != proof.mac).then_some(FaultKind::Forged { key });
        }
        let signed = proof.is_signed(&message(proof.first, last, prev, &self.batch.hash));
        if signed == Some(false) {
            return Some(FaultKind::Forged { key });
        }
        if self.is_known(proof) {
            // Only the key itself can check a MAC: without a signature, the key vouches for the batch by its next
            // checkpoint.
            let is_answered = signed.is_some() || self.attested.get(&proof.key).is_some_and(|to| *to >= last);
            self.needs_attestation |= !is_answered;
            return (!is_answered).then_some(FaultKind::Unproven { until: last });
        }
        if self.mode == WalkMode::FirstContact {
            self.reached.keys.push(key);
            return None;
        }
        Some(FaultKind::Stranger { key, until: last })
    }

    /// Accepts everything so far as sound, if no fault was found.
    fn reach(&mut self, last: i64, at: i64) {
        self.batch.events.clear();
        self.batch.acts = TrustChanges::default();
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

    /// Applies the changes of trust in a batch. A MAC of another key does not suffice, nor does that key's checkpoint,
    /// which may follow on a break that an admin accepted.
    fn act(&mut self, proof: &Proof) {
        let is_proven = proof.key == self.own || proof.signature.is_some();
        if !is_proven || self.fault.is_some() {
            return;
        }
        for TrustChange { at, event, .. } in self.batch.acts.take(proof.first) {
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
                (Event::LogAccepted { .. }, WalkMode::Scan { after }) if at > after => {
                    self.mode = WalkMode::Strict;
                    self.reached.accepted_at = at;
                    self.reached.signed = 0;
                }
                (Event::LogAccepted { .. }, WalkMode::Strict | WalkMode::FirstContact) => {
                    self.reached.accepted_at = self.reached.accepted_at.max(at);
                }
                _ => {}
            }
        }
    }

    fn found(&mut self, seq: i64, what: FaultKind) {
        // Faults that an admin may have accepted are ignored until that is known, and so are events from before batches
        // were proven.
        let counts = !matches!(
            (self.mode, &what),
            (WalkMode::Scan { .. }, _) | (WalkMode::FirstContact, FaultKind::Unproven { .. })
        );
        if counts && self.fault.is_none() {
            self.fault = Some(LogFault { seq, what });
        }
    }

    /// Returns whether an admin's acceptance was found.
    pub(super) fn is_accepted(&self) -> bool {
        !matches!(self.mode, WalkMode::Scan { .. })
    }
}

/// Parses a key's id as shown to people.
pub(super) fn id_of(name: &str) -> Option<KeyId> {
    unhex(name.strip_prefix("key-")?)?.try_into().ok()
}
