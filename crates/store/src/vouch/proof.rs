//! The proof that a batch carries: a MAC by the key that wrote it, and its signature if other keys are trusted too.
//!
//! A signature costs as much as a tenth of a commit on an embedded store, a MAC next to nothing. A MAC can be checked
//! only with its own key, which does so before it signs the next checkpoint, and that anyone can check. Nodes that
//! share a store check each other's signatures, and need not share a secret.

use ed25519_dalek::{Signature, VerifyingKey};

use super::is_act;
use crate::Signer;
use crate::chain::{Hash, hex, key_id, unhex};
use crate::plan::EventRow;

/// A key's id without its prefix: the first eight bytes of the hash of its public half.
pub type KeyId = [u8; 8];

/// The length of a proof without a signature: key, first event, MAC.
const LENGTH: usize = 8 + 8 + 32;

/// The proof recorded at the last event of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The key that wrote the batch.
    pub key: KeyId,
    /// The first event of the batch.
    pub first: i64,
    /// The key's MAC over the batch.
    pub mac: Hash,
    /// The part that others can check: the public key, and its signature over the batch.
    pub signature: Option<([u8; 32], [u8; 64])>,
}

impl Proof {
    /// Reads a proof from the log; none if it is not one.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (bytes, signed) = bytes.split_first_chunk::<LENGTH>()?;
        let (key, rest) = bytes.split_first_chunk::<8>()?;
        let (first, mac) = rest.split_first_chunk::<8>()?;
        let signature = match signed.split_first_chunk::<32>() {
            Some((public_key, signature)) => Some((*public_key, signature.try_into().ok()?)),
            None if signed.is_empty() => None,
            None => return None,
        };
        Some(Self { key: *key, first: i64::from_be_bytes(*first), mac: mac.try_into().ok()?, signature })
    }

    /// Returns the bytes to store in the log.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = [&self.key[..], &self.first.to_be_bytes(), &self.mac].concat();
        if let Some((public_key, signature)) = &self.signature {
            bytes.extend_from_slice(public_key);
            bytes.extend_from_slice(signature);
        }
        bytes
    }

    /// Returns whether the named key has signed a batch; none if there is no signature.
    pub fn is_signed(&self, batch: &[u8]) -> Option<bool> {
        let (public_key, signature) = self.signature.as_ref()?;
        let named = key_id(&hex(public_key)) == self.key_name();
        let fits = |key: VerifyingKey| key.verify_strict(batch, &Signature::from_bytes(signature)).is_ok();
        Some(named && VerifyingKey::from_bytes(public_key).is_ok_and(fits))
    }

    /// Returns the key's id as shown to people.
    pub fn key_name(&self) -> String {
        format!("key-{}", hex(&self.key))
    }
}

/// Returns the bytes that the MAC of a batch covers: its first and last event, its predecessor's hash, and its last
/// hash, which covers everything before it.
pub fn message(first: i64, last: i64, prev: &Hash, hash: &Hash) -> Vec<u8> {
    [b"holdpoint batch v1\n", &first.to_be_bytes()[..], &last.to_be_bytes(), prev, hash].concat()
}

/// The other readers of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreReaders {
    /// Only processes with the same key, unless other keys are trusted.
    Own,
    /// Other nodes, with their own keys.
    Nodes,
}

/// Adds a proof to the last event of a batch.
pub(crate) fn seal(events: &mut [EventRow], signer: &dyn Signer, readers: StoreReaders) {
    let Some((first, prev)) = events.first().map(|event| (event.seq, event.prev)) else { return };
    // Orders about keys are rare, and others may have to follow them later.
    let is_order = events.iter().any(|event| is_act(event.tag));
    let Some(last) = events.last_mut() else { return };
    let batch = message(first, last.seq, &prev, &last.hash);
    let is_signed = readers == StoreReaders::Nodes || !signer.is_alone() || is_order;
    loop {
        let (key, mac) = signer.seal(&batch);
        let mut proof = Proof { key, first, mac, signature: None };
        if is_signed {
            let (public_key, signature) = (unhex(&signer.public_key()), unhex(&signer.sign(&batch)));
            let pair = public_key.zip(signature);
            proof.signature =
                pair.and_then(|(key, sign)| Some((key.try_into().ok()?, sign.try_into().ok()?)));
        }
        last.proof = Some(proof.bytes());
        // The key may be replaced at any moment, so this is checked after sealing; a replaced key never comes back.
        if signer.key() == proof.key_name() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_reads_back_and_nothing_else_does() {
        let proof = Proof { key: [1; 8], first: 258, mac: [7; 32], signature: None };
        assert_eq!(Proof::read(&proof.bytes()), Some(proof));
        assert_eq!(Proof::read(&proof.bytes()[1..]), None);
        let signed = Proof { signature: Some(([2; 32], [3; 64])), ..proof };
        assert_eq!(Proof::read(&signed.bytes()), Some(signed));
        assert_eq!(Proof::read(&signed.bytes()[..100]), None);
        assert_eq!((proof.is_signed(b"x"), signed.is_signed(b"x")), (None, Some(false)));
        assert_eq!(proof.key_name(), "key-0101010101010101");
    }
}
