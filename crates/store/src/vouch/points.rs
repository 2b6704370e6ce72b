//! Checkpoints: their statements, and how they are made and checked.

use ed25519_dalek::{Signature, VerifyingKey};
use holdpoint_core::{Timestamp, json};

use super::{Identity, Remembered, Vouching, is_act};
use crate::chain::{self, hex};
use crate::plan::Writes;
use crate::{Checkpoint, CheckpointPolicy, Options, Signer};

/// Returns the bytes that a checkpoint's signature covers.
pub fn statement(point: &Checkpoint) -> Vec<u8> {
    let Checkpoint { seq, hash, at, key, root, prior, .. } = point;
    let statement = serde_json::json!({
        "seq": seq, "hash": hash, "at": at.as_millis(), "key": key, "root": root, "prior": prior,
    });
    let text = json::canonical(&statement).unwrap_or_default();
    [b"holdpoint checkpoint v2\n", text.as_bytes()].concat()
}

/// Returns whether a checkpoint is signed by the key that it names.
pub fn is_signed(point: &Checkpoint) -> bool {
    let key = chain::unhex(&point.public_key).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let signature = chain::unhex(&point.signature).and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
    let (Some(key), Some(signature)) = (key, signature) else { return false };
    let Ok(key) = VerifyingKey::from_bytes(&key) else { return false };
    let fits = |message: &[u8]| key.verify_strict(message, &Signature::from_bytes(&signature)).is_ok();
    if point.root.is_some() {
        return fits(&statement(point));
    }
    // The first checkpoints had no tree, and some had times with all three digits of their milliseconds.
    let times = [point.at.to_string(), point.at.in_full()];
    times.iter().any(|at| fits(&chain::checkpoint_message(point.seq, &point.hash, at, &point.key)))
}

/// A checkpoint that is written with a batch, and the state to remember once the batch is committed.
#[derive(Debug)]
pub(crate) struct PendingCheckpoint {
    pub(crate) point: Checkpoint,
    pub(crate) remembered: Remembered,
}

/// Signs the head of a batch, if the policy requires it and the batch directly follows what is remembered. Otherwise
/// the log between must be checked first, which is not done while others wait for the lock.
pub(crate) fn with_commit(
    options: &Options,
    identity: &Identity,
    vouching: &Vouching,
    writes: &Writes,
) -> Option<PendingCheckpoint> {
    let signer = options.signer.as_ref().filter(|_| options.policy == CheckpointPolicy::EveryCommit)?;
    let events = &writes.events;
    let (first, last) = (events.first()?, events.last()?);
    // Changes of trusted keys, and losses, are handled where the log is read.
    if events.iter().any(|event| is_act(event.tag)) || vouching.lost().is_some() {
        return None;
    }
    let mut remembered = match signer.remembered(identity).ok()? {
        Some(remembered) => remembered,
        None if first.seq == 1 => Remembered::default(),
        None => return None,
    };
    let is_whole = remembered.lost.is_none() && remembered.unsigned.is_none();
    let counts = is_whole && !remembered.revoked.contains(&signer.key());
    if !counts || !remembered.is_before(first.seq, &first.prev) {
        return None;
    }
    remembered.number = remembered.number.max(vouching.number()).max(writes.last_number.unwrap_or_default());
    remembered.extend(events.iter().map(|event| &event.hash), last.at.as_millis())?;
    let point = make(signer.as_ref(), &mut remembered, last.at)?;
    Some(PendingCheckpoint { point, remembered })
}

/// Makes the checkpoint of a remembered state.
pub(super) fn make(signer: &dyn Signer, remembered: &mut Remembered, at: Timestamp) -> Option<Checkpoint> {
    let root = Some(hex(&remembered.tree()?.root()));
    loop {
        let key = signer.key();
        let mut point = Checkpoint {
            seq: remembered.seq,
            hash: remembered.hash.clone(),
            at,
            public_key: signer.public_key(),
            key,
            signature: String::new(),
            root: root.clone(),
            prior: (remembered.signed > 0).then_some(remembered.signed),
        };
        point.signature = signer.sign(&statement(&point));
        // The key may be replaced at any moment, so this is checked after signing; a replaced key never comes back.
        if signer.key() == point.key {
            remembered.signed = point.seq;
            return Some(point);
        }
    }
}

/// Finishes a committed batch: remembers what was signed with it, or records that it has to be signed.
pub(crate) fn after_commit(
    options: &Options,
    identity: &Identity,
    vouching: &Vouching,
    signing: Option<&PendingCheckpoint>,
    writes: &Writes,
) {
    let Some(signer) = &options.signer else { return };
    let events = &writes.events;
    vouching.keep_end(writes);
    match (signing, options.policy) {
        (Some(signing), _) => {
            vouching.found(None);
            // If this fails, the batch is checked again next time.
            if let Err(error) = signer.remember(identity, &signing.remembered) {
                tracing::warn!("Could not remember what was signed: {error}");
            }
        }
        (None, CheckpointPolicy::EveryCommit) if !events.is_empty() => vouching.leave_unsigned(),
        (None, CheckpointPolicy::EveryCommit) => {}
        (None, CheckpointPolicy::ByCaller) => vouching.note_written_batch(events),
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};

    use super::*;

    #[test]
    fn a_checkpoint_without_a_tree_holds_however_its_time_was_written() {
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
                root: None,
                prior: None,
            };
            assert_eq!(is_signed(&point), holds, "{at}");
        }
    }
}
