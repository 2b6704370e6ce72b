//! The proof that a batch carries: a MAC by the key that wrote it.
//!
//! A MAC and not a signature: a signature costs as much as a tenth of a commit, a MAC next to nothing. Only its own
//! key can check it, and does so before it signs the next checkpoint, which anybody can check. So each key answers
//! for its own batches, and no two nodes need to share a secret.

use crate::Signer;
use crate::chain::Hash;
use crate::plan::EventRow;

/// A key's id without its prefix: the first eight bytes of the hash of its public half.
pub type KeyId = [u8; 8];

/// How long a proof is: key, first event, MAC.
const LENGTH: usize = 8 + 8 + 32;

/// What is recorded at the last event of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Which key wrote the batch.
    pub key: KeyId,
    /// The first event of the batch.
    pub first: i64,
    /// The key's MAC over the batch.
    pub mac: Hash,
}

impl Proof {
    /// Reads a proof from the log; nothing if it is not one.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; LENGTH] = bytes.try_into().ok()?;
        let (key, rest) = bytes.split_first_chunk::<8>()?;
        let (first, mac) = rest.split_first_chunk::<8>()?;
        Some(Self { key: *key, first: i64::from_be_bytes(*first), mac: mac.try_into().ok()? })
    }

    /// Returns it as it stands in the log.
    pub fn bytes(&self) -> Vec<u8> {
        [&self.key[..], &self.first.to_be_bytes(), &self.mac].concat()
    }

    /// Returns the key's id as it is shown.
    pub fn key_name(&self) -> String {
        format!("key-{}", crate::chain::hex(&self.key))
    }
}

/// Returns what the MAC of a batch covers: where it begins and ends, what it follows on, and its last hash, which
/// stands for everything before it.
pub fn message(first: i64, last: i64, prev: &Hash, hash: &Hash) -> Vec<u8> {
    [b"holdpoint batch v1\n", &first.to_be_bytes()[..], &last.to_be_bytes(), prev, hash].concat()
}

/// Puts a proof at the end of a batch.
pub(crate) fn seal(events: &mut [EventRow], signer: &dyn Signer) {
    let Some((first, prev)) = events.first().map(|event| (event.seq, event.prev)) else { return };
    let Some(last) = events.last_mut() else { return };
    let (key, mac) = signer.seal(&message(first, last.seq, &prev, &last.hash));
    last.proof = Some(Proof { key, first, mac }.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_reads_back_and_nothing_else_does() {
        let proof = Proof { key: [1; 8], first: 258, mac: [7; 32] };
        assert_eq!(Proof::read(&proof.bytes()), Some(proof));
        assert_eq!(Proof::read(&proof.bytes()[1..]), None);
        assert_eq!(proof.key_name(), "key-0101010101010101");
    }
}
