//! The proof that a decision's end is in the signed log; it can be checked without the store.

use holdpoint_core::{Answer, DecisionId, Timestamp, json};
use holdpoint_store::chain::{Hash, body_hash, event_hash, hex, unhex};
use holdpoint_store::vouch::{self, includes};
use holdpoint_store::{Checkpoint, LogRow};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The event that settled a decision, a signed head of the log, and the path from the one to the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LogProof {
    /// The event.
    pub event: ProvenEvent,
    /// The head of the log that covers it.
    pub head: SignedHead,
    /// The hashes from the event's leaf to the root, in hex (RFC 9162).
    pub path: Vec<String>,
}

/// An event as it stands in the log, with its exact body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the columns of the log by their names")]
pub struct ProvenEvent {
    pub seq: i64,
    pub stream: String,
    pub version: i64,
    pub r#type: String,
    pub at: i64,
    pub body: String,
    pub prev: String,
}

/// A signed head of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SignedHead {
    /// The last event that it covers.
    pub seq: i64,
    /// That event's hash.
    pub hash: String,
    /// When it was signed.
    pub at: Timestamp,
    /// The key's id.
    pub key: String,
    /// The public key, in hex.
    pub public_key: String,
    /// The root of the Merkle tree over all events up to there.
    pub root: String,
    /// The head that the same key signed before.
    pub prior: Option<i64>,
    /// The signature, in hex.
    pub signature: String,
}

impl SignedHead {
    /// Reads a checkpoint; nothing if it has no tree.
    pub fn of(point: Checkpoint) -> Option<Self> {
        let Checkpoint { seq, hash, at, key, public_key, signature, root, prior } = point;
        Some(Self { seq, hash, at, key, public_key, root: root?, prior, signature })
    }

    /// Returns it as a checkpoint.
    pub fn point(&self) -> Checkpoint {
        let Self { seq, hash, at, key, public_key, root, prior, signature } = self.clone();
        Checkpoint { seq, hash, at, key, public_key, signature, root: Some(root), prior }
    }

    /// Returns the root, if it is valid.
    pub fn root_hash(&self) -> Option<Hash> {
        unhex(&self.root)?.try_into().ok()
    }

    /// Returns whether it is signed by the key that it names.
    pub fn is_signed(&self) -> bool {
        vouch::is_signed(&self.point())
    }
}

impl LogProof {
    /// Builds a proof.
    pub(crate) fn new(link: LogRow, body: String, head: SignedHead, path: &[Hash]) -> Self {
        let LogRow { seq, stream, version, tag, at, prev, .. } = link;
        let event = ProvenEvent { seq, stream, version, r#type: tag, at, body, prev };
        Self { event, head, path: path.iter().map(|hash| hex(hash)).collect() }
    }

    /// Checks that the answer of a decision is in a log that a trusted key signed; returns what is wrong.
    pub fn check(
        &self,
        decision: DecisionId,
        answer: Option<&Answer>,
        trusted: &[String],
    ) -> Result<(), String> {
        let ProvenEvent { seq, stream, version, r#type, at, body, prev } = &self.event;
        let said =
            json::parse_strict(body).map_err(|why| format!("the body of its event is damaged: {why}"))?;
        if said.get("id").and_then(Value::as_str) != Some(decision.to_string().as_str()) {
            return Err("its event is about another decision".into());
        }
        let recorded = said.get("answer").filter(|answer| !answer.is_null()).cloned();
        // Compared as answers, not as text: an old record may lack what is written today.
        let recorded: Option<Answer> =
            recorded.map(serde_json::from_value).transpose().map_err(|why| why.to_string())?;
        if recorded.is_some() && recorded.as_ref() != answer {
            return Err("its event records another answer".into());
        }
        let event = event_hash(*seq, stream, *version, r#type, *at, &hex(&body_hash(body)), prev);
        let path: Option<Vec<Hash>> = self.path.iter().map(|text| unhex(text)?.try_into().ok()).collect();
        let (Some(path), Some(root)) = (path, self.head.root_hash()) else {
            return Err("the path to the log's head cannot be read".into());
        };
        if !trusted.contains(&self.head.public_key) {
            return Err(format!("the log's head is signed by {}, which is not trusted", self.head.key));
        }
        if !self.head.is_signed() {
            return Err("the signature under the log's head does not fit".into());
        }
        if !includes(&root, *seq, self.head.seq, &event, &path) {
            return Err("its event is not in the log that was signed".into());
        }
        Ok(())
    }
}
