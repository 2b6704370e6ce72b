//! Receipts: signed statements of what was decided, checkable with the public key alone.

use holdpoint_core::{Answer, Auth, Decision, DecisionId, Source, Status, Timestamp, json};
use holdpoint_store::Signer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::keys;

const TYPE: &str = "holdpoint-receipt/v1";

/// A signed statement: this was asked, this was answered, by whom, known how surely, when.
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
    /// Its title, for whoever reads the receipt.
    pub title: Option<String>,
    /// Its prompt, for whoever reads the receipt.
    pub prompt: Option<String>,
    /// The digest of everything that was asked.
    pub digest: String,
    /// The digest of what was decided on.
    pub subject_digest: Option<String>,
    /// The round of guidance.
    pub iteration: u32,
    /// How it ended.
    pub status: Status,
    /// What was answered, by whom, known how surely.
    pub answer: Option<Answer>,
    /// When it was settled.
    pub settled_at: Option<Timestamp>,
    /// The key that signs.
    pub key: String,
    /// Its public half, in hex.
    pub public_key: String,
    /// The signature over all of the above, in hex.
    pub signature: String,
}

/// Makes the receipt of a settled decision.
pub fn issue(decision: &Decision, signer: &dyn Signer) -> Result<Receipt> {
    let mut receipt = Receipt {
        r#type: TYPE.into(),
        decision: decision.id,
        project: decision.project.clone(),
        source: decision.source,
        title: decision.title.clone(),
        prompt: decision.prompt.clone(),
        digest: decision.digest.clone(),
        subject_digest: decision.subject_digest.clone(),
        iteration: decision.iteration,
        status: decision.status,
        answer: decision.answer.clone(),
        settled_at: decision.settled_at,
        key: signer.key(),
        public_key: signer.public_key(),
        signature: String::new(),
    };
    receipt.signature = signer.sign(&statement(&receipt)?);
    Ok(receipt)
}

/// Checks a receipt: whole, signed by a trusted key, and answered with at least some assurance.
pub fn verify(text: &str, trusted: &[String], least: Option<Auth>) -> Result<Receipt> {
    let wrong = |why: String| Error::Settings(why);
    let value = json::parse_strict(text).map_err(|why| wrong(format!("not a receipt: {why}")))?;
    let receipt: Receipt =
        serde_json::from_value(value).map_err(|why| wrong(format!("not a receipt: {why}")))?;
    if receipt.r#type != TYPE {
        return Err(wrong(format!("receipts of type {:?} are unknown; {TYPE:?} is known", receipt.r#type)));
    }
    if !trusted.contains(&receipt.public_key) {
        let key = keys::key_id(&receipt.public_key);
        return Err(wrong(format!("it is signed by {key}, which is not among the trusted keys")));
    }
    if !keys::verify(&receipt.public_key, &statement(&receipt)?, &receipt.signature) {
        return Err(wrong("the signature does not fit: the receipt was changed".into()));
    }
    if let Some(least) = least {
        match &receipt.answer {
            Some(answer) if answer.auth >= least => {}
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

fn statement(receipt: &Receipt) -> Result<Vec<u8>> {
    let failed = |why: serde_json::Error| Error::Settings(format!("the receipt cannot be written: {why}"));
    let mut value = serde_json::to_value(receipt).map_err(failed)?;
    if let Value::Object(map) = &mut value {
        map.remove("signature");
    }
    Ok(format!("{TYPE}\n{}", json::canonical(&value).map_err(failed)?).into_bytes())
}
