//! Checks the whole log against its own chain and against the checkpoints that someone signed.

use std::collections::{BTreeMap, BTreeSet};

use ed25519_dalek::{Signature, VerifyingKey};

use crate::chain::{self, Fault, Walk, Wrong};
use crate::{Checkpoint, Result, Store};

/// What a check of the log found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many events there are.
    pub events: u64,
    /// How many of them were erased, as the log itself says.
    pub erased: u64,
    /// How many checkpoints there are.
    pub checkpoints: u64,
    /// Up to which event a trusted key vouches that nothing was touched; 0 if none does.
    pub vouched_to: i64,
    /// The last event.
    pub head: i64,
    /// Public keys that signed checkpoints, but that nobody trusts.
    pub untrusted: Vec<String>,
    /// What is wrong, first event first.
    pub faults: Vec<Fault>,
}

impl Report {
    /// Returns how many events at the end nobody vouches for yet.
    pub fn tail(&self) -> i64 {
        self.head - self.vouched_to
    }
}

const CHUNK: usize = 2_000;

/// Checks the log; `trusted` are public keys in hex.
pub async fn verify(store: &dyn Store, trusted: &[String]) -> Result<Report> {
    // Checkpoints first: one that is made meanwhile lies beyond what is then read of the log, never before it.
    let checkpoints = store.checkpoints().await?;
    let mut signed: BTreeMap<i64, Option<String>> =
        checkpoints.iter().map(|point| (point.seq, None)).collect();
    let mut walk = Walk::new();
    let mut after = 0;
    loop {
        let links = store.links(after, CHUNK).await?;
        for link in &links {
            walk.step(link);
            if let Some(hash) = signed.get_mut(&link.seq) {
                *hash = Some(link.hash.clone());
            }
        }
        match links.last() {
            Some(last) => after = last.seq,
            None => break,
        }
    }
    let head = walk.seq();
    let (events, erased, mut faults) = walk.finish();
    let mut untrusted = BTreeSet::new();
    let mut vouched = BTreeSet::new();
    for point in &checkpoints {
        match check(point, signed.get(&point.seq).and_then(Option::as_deref), head) {
            Err(fault) => faults.push(fault),
            Ok(()) if trusted.iter().any(|key| key.eq_ignore_ascii_case(&point.public_key)) => {
                vouched.insert(point.seq);
            }
            Ok(()) => {
                untrusted.insert(point.public_key.clone());
            }
        }
    }
    faults.sort_by_key(|fault| fault.seq);
    let first = faults.first().map_or(i64::MAX, |fault| fault.seq);
    Ok(Report {
        events,
        erased,
        checkpoints: checkpoints.len() as u64,
        vouched_to: vouched.range(..first).next_back().copied().unwrap_or_default(),
        head,
        untrusted: untrusted.into_iter().collect(),
        faults,
    })
}

fn check(point: &Checkpoint, hash: Option<&str>, head: i64) -> std::result::Result<(), Fault> {
    let fault = |what| Err(Fault { seq: point.seq, what });
    if !is_signed(point) {
        return fault(Wrong::Signature { key: point.key.clone() });
    }
    match hash {
        None if point.seq > head => fault(Wrong::CutOff { head }),
        Some(hash) if hash != point.hash => fault(Wrong::Signed { key: point.key.clone() }),
        // An event that is missing further up was named by the walk.
        None | Some(_) => Ok(()),
    }
}

fn is_signed(point: &Checkpoint) -> bool {
    let key = chain::unhex(&point.public_key).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let signature = chain::unhex(&point.signature).and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
    let (Some(key), Some(signature)) = (key, signature) else { return false };
    let Ok(key) = VerifyingKey::from_bytes(&key) else { return false };
    // Some were signed while times were written with all three digits of their milliseconds.
    [point.at.to_string(), point.at.in_full()].iter().any(|at| {
        let message = chain::checkpoint_message(point.seq, &point.hash, at, &point.key);
        key.verify_strict(&message, &Signature::from_bytes(&signature)).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};
    use holdpoint_core::Timestamp;

    use super::*;

    #[test]
    fn a_checkpoint_holds_however_its_time_was_written() {
        let secret = SigningKey::from_bytes(&[7; 32]);
        for (at, holds) in
            [("1970-01-01T00:00:01.2Z", true), ("1970-01-01T00:00:01.200Z", true), ("1970", false)]
        {
            let message = chain::checkpoint_message(3, "ab", at, "key-1");
            let point = Checkpoint {
                seq: 3,
                hash: "ab".into(),
                at: Timestamp::from_millis(1_200),
                key: "key-1".into(),
                public_key: chain::hex(secret.verifying_key().as_bytes()),
                signature: chain::hex(&secret.sign(&message).to_bytes()),
            };
            assert_eq!(is_signed(&point), holds, "{at}");
        }
    }
}
