//! What a signer remembers of a store.

use holdpoint_core::{Numbering, json};
use serde::{Deserialize, Serialize};

use super::Tree;
use crate::chain::{self, FaultKind, GENESIS, Hash, LogFault, hex};

/// The identity of a store: by its content, and by its location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The part that the store itself contains; a copy has the same.
    pub id: String,
    /// The location, so that another store in the same place is not taken for a new one.
    pub place: String,
}

/// Returns the id that the store itself contains.
pub(crate) fn store_id(numbering: Numbering) -> String {
    let text = json::sha256_hex(numbering.id(1).to_string().as_bytes());
    format!("store-{}", &text[..16])
}

/// How far a signer has vouched for a store. Kept beside the key, and never lowered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The last event that was checked.
    pub seq: i64,
    /// Its hash, in hex.
    pub hash: String,
    /// When it happened, in milliseconds.
    pub at: i64,
    /// When the last break was accepted, in milliseconds; 0 if none was.
    #[serde(default)]
    pub accepted_at: i64,
    /// The last checkpoint of this signer's key; 0 if there is none.
    #[serde(default)]
    pub signed: i64,
    /// Ids of keys that are trusted besides those of the data folder: those that wrote before the store was first seen
    /// here, and those that replaced known ones.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Ids of revoked keys.
    #[serde(default)]
    pub revoked: Vec<String>,
    /// The right edge of the Merkle tree.
    #[serde(default)]
    pub tree: Vec<String>,
    /// The highest row number known to be in use.
    #[serde(default)]
    pub number: i64,
    /// The last event that a process had committed when it could not sign: if the store comes back without it, the
    /// event is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsigned: Option<UnsignedEvent>,
    /// A commit that was found missing, until an admin accepts the loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<LostEvent>,
}

/// An event that was committed and is not signed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsignedEvent {
    /// The event.
    pub seq: i64,
    /// Its hash, in hex.
    pub hash: String,
    /// When it happened, in milliseconds.
    pub at: i64,
}

impl UnsignedEvent {
    /// Returns the loss of this event from a log that ends at `head`.
    pub(crate) fn as_lost(&self, head: i64) -> LostEvent {
        LostEvent { seq: self.seq, head, at: self.at }
    }
}

/// An event that was committed and is missing from the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostEvent {
    /// The event.
    pub seq: i64,
    /// The end of the log when the loss was noticed.
    pub head: i64,
    /// When the event happened, in milliseconds: only a later statement of an admin can be about this loss.
    pub at: i64,
}

impl LostEvent {
    /// Returns it as a fault of the log.
    pub fn fault(&self) -> LogFault {
        LogFault { seq: self.seq, what: FaultKind::Lost { head: self.head } }
    }
}

impl Default for Remembered {
    fn default() -> Self {
        Self {
            seq: 0,
            hash: hex(&GENESIS),
            at: 0,
            accepted_at: 0,
            signed: 0,
            keys: Vec::new(),
            revoked: Vec::new(),
            tree: Vec::new(),
            number: 0,
            unsigned: None,
            lost: None,
        }
    }
}

impl Remembered {
    /// Returns whether this may replace what was remembered before.
    pub fn rises_above(&self, before: &Self) -> bool {
        (self.accepted_at, self.seq, self.signed) >= (before.accepted_at, before.seq, before.signed)
    }

    /// Returns the Merkle tree up to here; none if the stored edge does not fit.
    pub(crate) fn tree(&self) -> Option<Tree> {
        Tree::read(self.seq.unsigned_abs(), &self.tree)
    }

    /// Extends the state by the following events.
    pub(crate) fn extend<'a>(&mut self, hashes: impl IntoIterator<Item = &'a Hash>, at: i64) -> Option<()> {
        let mut tree = self.tree()?;
        let mut last = None;
        for hash in hashes {
            tree.push(hash);
            self.seq += 1;
            last = Some(hash);
        }
        if let Some(last) = last {
            self.hash = hex(last);
        }
        self.tree = tree.edge();
        self.at = at;
        Some(())
    }

    /// Returns whether an event directly follows.
    pub(crate) fn is_before(&self, first: i64, prev: &Hash) -> bool {
        self.seq + 1 == first && chain::unhex(&self.hash).is_some_and(|hash| hash == prev)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_only_rises() {
        let before = Remembered { seq: 5, signed: 5, ..Remembered::default() };
        assert!(Remembered { seq: 6, ..before.clone() }.rises_above(&before));
        assert!(!Remembered { seq: 4, ..before.clone() }.rises_above(&before));
        assert!(Remembered { seq: 4, accepted_at: 9, ..before.clone() }.rises_above(&before));
        assert!(
            !Remembered { seq: 7, ..before.clone() }.rises_above(&Remembered { accepted_at: 1, ..before })
        );
    }
}
