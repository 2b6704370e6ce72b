//! A witness: keeps heads of a log that it saw itself, each consistent with the previous one, and signs them. It runs
//! out of reach of the holder of the log's keys.

use std::path::Path;

use holdpoint_core::{Timestamp, json};
use holdpoint_store::Signer;
use holdpoint_store::chain::{Hash, key_id, unhex};
use holdpoint_store::vouch::begins_with;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::error::{Error, Result};
use crate::keys;
use crate::log_proof::SignedHead;

/// A head that a witness saw and signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cosigned {
    /// The head.
    pub head: SignedHead,
    /// When it was seen.
    pub at: Timestamp,
    /// The witness's public key, in hex.
    pub witness: String,
    /// The witness's signature, in hex.
    pub signature: String,
}

impl Cosigned {
    fn statement(head: &SignedHead, at: Timestamp) -> Vec<u8> {
        let statement = serde_json::json!({
            "seq": head.seq, "hash": head.hash, "root": head.root, "key": head.key, "at": at.as_millis(),
        });
        let text = json::canonical(&statement).unwrap_or_default();
        [b"holdpoint witness v1\n", text.as_bytes()].concat()
    }

    /// Returns whether the witness signed it.
    pub fn is_signed(&self) -> bool {
        keys::verify(&self.witness, &Self::statement(&self.head, self.at), &self.signature)
    }
}

/// The result of one check of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessResult {
    /// It has grown, or is seen for the first time; this was signed.
    Signed(Box<Cosigned>),
    /// It is unchanged.
    Same,
    /// It has no signed head yet.
    Empty,
}

/// Checks the log once, and signs its head if it is consistent with the last one that was seen. `trusted` are the keys
/// that may sign it, any if empty.
pub async fn check_log(
    client: &dyn Client,
    last: Option<&Cosigned>,
    trusted: &[String],
    signer: &dyn Signer,
    now: Timestamp,
) -> Result<WitnessResult> {
    let wrong = |why: String| Error::Settings(why);
    let Some(head) = client.log_head().await? else {
        return match last {
            None => Ok(WitnessResult::Empty),
            Some(last) => Err(wrong(format!("the log is gone; it was seen up to event {}", last.head.seq))),
        };
    };
    if !head.is_signed() || (!trusted.is_empty() && !trusted.contains(&head.public_key)) {
        return Err(wrong(format!(
            "the head of the log is not signed by a key that is trusted, but by {}",
            head.key
        )));
    }
    if let Some(last) = last {
        if head.seq < last.head.seq {
            let (now, before) = (head.seq, last.head.seq);
            return Err(wrong(format!(
                "the log was cut: it ends at event {now}, and was seen up to {before}"
            )));
        }
        let path = client.log_consistency(last.head.seq, head.seq).await?;
        let path: Option<Vec<Hash>> = path.iter().map(|text| unhex(text)?.try_into().ok()).collect();
        let holds = path.is_some_and(|path| follows(&last.head, &head, &path));
        if !holds {
            let seq = last.head.seq;
            return Err(wrong(format!(
                "the log was rewritten: it is not the one that was seen up to event {seq}"
            )));
        }
        if head.seq == last.head.seq {
            return Ok(WitnessResult::Same);
        }
    }
    let signature = signer.sign(&Cosigned::statement(&head, now));
    Ok(WitnessResult::Signed(Box::new(Cosigned { head, at: now, witness: signer.public_key(), signature })))
}

fn follows(before: &SignedHead, after: &SignedHead, path: &[Hash]) -> bool {
    let (Some(old), Some(new)) = (before.root_hash(), after.root_hash()) else { return false };
    begins_with((before.seq, &old), (after.seq, &new), path)
}

/// Reads the file of a witness; every line must be signed, all with the same key.
pub fn read(path: &Path) -> Result<Vec<Cosigned>> {
    let text = std::fs::read_to_string(path).map_err(Error::io(format!("cannot read {}", path.display())))?;
    let mut seen: Vec<Cosigned> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |why: &str| Error::Settings(format!("{}:{number}: {why}", path.display()));
        let cosigned: Cosigned = serde_json::from_str(line).map_err(|why| wrong(&why.to_string()))?;
        if !cosigned.is_signed() {
            return Err(wrong(&format!("{} did not sign this", key_id(&cosigned.witness))));
        }
        if seen.first().is_some_and(|first| first.witness != cosigned.witness) {
            return Err(wrong("another witness signed this"));
        }
        seen.push(cosigned);
    }
    Ok(seen)
}
