//! Digests of a decision: what a person saw, as one hash.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::accept::withdraw_accept;
use super::{Decision, Source};
use crate::field::definition::ACCEPT;
use crate::people::Needs;
use crate::refusal::Refusal;
use crate::{Field, Opt, json};

/// Everything that is asked. The answer, the draft and the schedule are not included.
#[derive(Serialize)]
struct DigestInput<'a> {
    project: &'a str,
    source: Source,
    title: &'a Option<String>,
    prompt: &'a Option<String>,
    fields: Cow<'a, [Field]>,
    outs: &'a [Opt],
    subject: &'a Option<Value>,
    iteration: u32,
    guidance: &'a Option<String>,
    // Left out where not set, as in older digests that did not have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'a Needs>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    needs_person: bool,
}

/// Sets both digests from what the decision asks; returns the length of what is asked.
pub(super) fn seal(decision: &mut Decision) -> Result<usize, Refusal> {
    let mut fields = Cow::Borrowed(decision.fields.as_slice());
    if decision.fields.iter().flat_map(|field| &field.options).any(|option| option.id == ACCEPT) {
        withdraw_accept(fields.to_mut());
    }
    let asked = DigestInput {
        project: &decision.project,
        source: decision.source,
        title: &decision.title,
        prompt: &decision.prompt,
        fields,
        outs: &decision.outs,
        subject: &decision.subject,
        iteration: decision.iteration,
        guidance: &decision.guidance,
        needs: decision.needs.as_deref(),
        needs_person: decision.needs_person,
    };
    let text = json::canonical(&asked).map_err(|why| Refusal::invalid("fields", why.to_string()))?;
    decision.digest = json::digest_of(&text);
    let subject = decision.subject.as_ref().map(json::digest).transpose();
    decision.subject_digest = subject.map_err(|why| Refusal::invalid("subject", why.to_string()))?;
    Ok(text.len())
}

/// Returns the digest of a subject; refuses one that another JSON reader would read differently.
pub fn subject_digest(subject: &Value) -> Result<String, Refusal> {
    let mut subject = subject.clone();
    json::settle(&mut subject).map_err(|why| Refusal::invalid("subject", why))?;
    json::digest(&subject).map_err(|why| Refusal::invalid("subject", why.to_string()))
}
