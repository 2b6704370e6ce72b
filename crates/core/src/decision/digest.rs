//! What a person saw, as one hash.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::{Decision, Source};
use crate::field::definition::ACCEPT;
use crate::refusal::Refusal;
use crate::{Field, Opt, json};

/// Everything that was asked. What was answered, drafted or scheduled is not in it.
#[derive(Serialize)]
struct Asked<'a> {
    project: &'a str,
    source: Source,
    title: &'a Option<String>,
    prompt: &'a Option<String>,
    fields: Cow<'a, [Field]>,
    outs: &'a [Opt],
    subject: &'a Option<Value>,
    iteration: u32,
    guidance: &'a Option<String>,
}

/// Sets both digests from what the decision asks; returns how long that is as JSON.
pub(super) fn seal(decision: &mut Decision) -> Result<usize, Refusal> {
    let asked = Asked {
        project: &decision.project,
        source: decision.source,
        title: &decision.title,
        prompt: &decision.prompt,
        fields: asked_fields(&decision.fields),
        outs: &decision.outs,
        subject: &decision.subject,
        iteration: decision.iteration,
        guidance: &decision.guidance,
    };
    let asked = json::canonical(&asked).map_err(|why| Refusal::invalid("fields", why.to_string()))?;
    decision.digest = json::digest_of(&asked);
    decision.subject_digest = decision.subject.as_ref().map(subject_digest).transpose()?;
    Ok(asked.len())
}

/// What a later round offers besides is not in the digest.
fn asked_fields(fields: &[Field]) -> Cow<'_, [Field]> {
    let is_extra = |option: &Opt| option.id == ACCEPT;
    if !fields.iter().any(|field| field.options.iter().any(is_extra)) {
        return Cow::Borrowed(fields);
    }
    let mut fields = fields.to_vec();
    for field in &mut fields {
        field.options.retain(|option| !is_extra(option));
    }
    Cow::Owned(fields)
}

/// Returns the digest of a subject; refuses what another reader would read differently.
pub fn subject_digest(subject: &Value) -> Result<String, Refusal> {
    let mut subject = subject.clone();
    json::settle(&mut subject).map_err(|why| Refusal::invalid("subject", why))?;
    json::digest(&subject).map_err(|why| Refusal::invalid("subject", why.to_string()))
}
