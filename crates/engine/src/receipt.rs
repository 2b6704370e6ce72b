//! Receipts: signed statements of what was decided, checkable with the public key alone.

use holdpoint_core::people::{Needs, Vote};
use holdpoint_core::{Answer, Auth, Decision, DecisionId, Rule, Source, Status, Timestamp, json};
use holdpoint_store::Signer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::keys;
use crate::log_proof::LogProof;

const TYPE: &str = "holdpoint-receipt/v1";

/// A signed statement: what was asked and answered, by whom, with what assurance, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// What kind of statement it is.
    pub r#type: String,
    /// The decision.
    pub decision: DecisionId,
    /// Where it belongs.
    pub project: String,
    /// Why it was asked.
    pub source: Source,
    /// Its title, for the reader of the receipt.
    pub title: Option<String>,
    /// Its prompt, for the reader of the receipt.
    pub prompt: Option<String>,
    /// The name of the credential it was asked with.
    #[serde(default)]
    pub asked_by: Option<String>,
    /// What the asker calls itself.
    #[serde(default)]
    pub requested_by: Option<String>,
    /// The digest of everything that was asked.
    pub digest: String,
    /// The digest of what was decided on.
    pub subject_digest: Option<String>,
    /// The round of guidance.
    pub iteration: u32,
    /// How it ended.
    pub status: Status,
    /// What was answered, by whom, and with what assurance.
    pub answer: Option<Answer>,
    /// The standing rule that answered, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// How many people had to consent, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// What each of them said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<Vote>,
    /// When it was settled.
    pub settled_at: Option<Timestamp>,
    /// The proof that this is in the signed log; none if it is not signed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogProof>,
    /// The key that signs.
    pub key: String,
    /// Its public half, in hex.
    pub public_key: String,
    /// The signature over all of the above, in hex.
    pub signature: String,
}

/// Makes the receipt of a settled decision.
pub fn issue(
    decision: &Decision,
    rule: Option<Rule>,
    log: Option<LogProof>,
    signer: &dyn Signer,
) -> Result<Receipt> {
    let mut receipt = Receipt {
        r#type: TYPE.into(),
        decision: decision.id,
        project: decision.project.clone(),
        source: decision.source,
        title: decision.title.clone(),
        prompt: decision.prompt.clone(),
        asked_by: decision.asked_by.clone(),
        requested_by: decision.requested_by.clone(),
        digest: decision.digest.clone(),
        subject_digest: decision.subject_digest.clone(),
        iteration: decision.iteration,
        status: decision.status,
        answer: decision.answer.clone(),
        rule,
        needs: decision.needs.as_deref().cloned(),
        votes: decision.votes.clone(),
        settled_at: decision.settled_at,
        log,
        key: signer.key(),
        public_key: signer.public_key(),
        signature: String::new(),
    };
    receipt.signature =
        signer.sign(&statement(serde_json::to_value(&receipt).map_err(|why| unwritable(&why))?)?);
    Ok(receipt)
}

/// Checks a receipt: complete, signed by a trusted key, and answered with at least some assurance.
pub fn verify(text: &str, trusted: &[String], least: Option<Auth>) -> Result<Receipt> {
    let wrong = |why: String| Error::Settings(why);
    let value = json::parse_strict(text).map_err(|why| wrong(format!("not a receipt: {why}")))?;
    let receipt: Receipt =
        serde_json::from_value(value.clone()).map_err(|why| wrong(format!("not a receipt: {why}")))?;
    if receipt.r#type != TYPE {
        return Err(wrong(format!("receipts of type {:?} are unknown; {TYPE:?} is known", receipt.r#type)));
    }
    if !trusted.contains(&receipt.public_key) {
        let key = keys::key_id(&receipt.public_key);
        return Err(wrong(format!("it is signed by {key}, which is not among the trusted keys")));
    }
    // What was signed is the text as it stands, not as it would be written today.
    if !keys::verify(&receipt.public_key, &statement(value)?, &receipt.signature) {
        return Err(wrong("the signature does not fit: the receipt was changed".into()));
    }
    let answered = receipt.answer.as_ref().and_then(|answer| answer.digest.as_ref());
    if answered.is_some_and(|digest| *digest != receipt.digest) {
        return Err(wrong("the answer was given to something else than what the receipt states".into()));
    }
    if let Some(log) = &receipt.log {
        let answer = receipt.answer.as_ref();
        log.check(receipt.decision, answer, trusted)
            .map_err(|why| wrong(format!("its proof fails: {why}")))?;
    }
    if let Some(least) = least {
        match &receipt.answer {
            Some(answer) if answer.auth.is_at_least(least) => {}
            Some(answer) => {
                let auth = answer.auth.name();
                return Err(wrong(format!(
                    "it was answered with assurance {auth}, but {} is needed",
                    least.name()
                )));
            }
            None => return Err(wrong(format!("it is {} and has no answer", receipt.status))),
        }
    }
    Ok(receipt)
}

fn statement(mut receipt: Value) -> Result<Vec<u8>> {
    if let Value::Object(map) = &mut receipt {
        map.remove("signature");
    }
    Ok(format!("{TYPE}\n{}", json::canonical(&receipt).map_err(|why| unwritable(&why))?).into_bytes())
}

fn unwritable(why: &serde_json::Error) -> Error {
    Error::Settings(format!("the receipt cannot be written: {why}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Home;
    use crate::keys::Key;

    #[test]
    fn a_receipt_is_checked_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::load_or_make(&Home::at(folder.path())).unwrap();
        let mut receipt = json!({
            "type": TYPE, "decision": "dcn-7k3fq2xw9mpd", "project": "default", "source": "question", "title": null,
            "prompt": "?", "digest": "sha256:00", "subject_digest": null, "iteration": 1, "status": "timed_out",
            "answer": null, "settled_at": "2026-11-15T12:00:00.200Z", "key": key.key(), "public_key": key.public_key(),
        });
        receipt["signature"] = key.sign(&statement(receipt.clone()).unwrap()).into();
        let trusted = [key.public_key()];
        verify(&receipt.to_string(), &trusted, None).unwrap();
        receipt["settled_at"] = "2026-11-15T12:00:00.2Z".into();
        verify(&receipt.to_string(), &trusted, None).unwrap_err();
    }
}
