//! What a person saw, as one hash.

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
    fields: Vec<Field>,
    outs: &'a [Opt],
    subject: &'a Option<Value>,
    iteration: u32,
    guidance: &'a Option<String>,
}

/// Sets both digests from what the decision asks.
pub(super) fn seal(decision: &mut Decision) -> Result<(), Refusal> {
    let mut fields = decision.fields.clone();
    for field in &mut fields {
        field.options.retain(|option| option.id != ACCEPT);
    }
    let asked = Asked {
        project: &decision.project,
        source: decision.source,
        title: &decision.title,
        prompt: &decision.prompt,
        fields,
        outs: &decision.outs,
        subject: &decision.subject,
        iteration: decision.iteration,
        guidance: &decision.guidance,
    };
    decision.digest = json::digest(&asked).map_err(|why| Refusal::invalid("fields", why.to_string()))?;
    decision.subject_digest = decision.subject.as_ref().map(subject_digest).transpose()?;
    Ok(())
}

/// Returns the digest of a subject; refuses what another reader would read differently.
pub fn subject_digest(subject: &Value) -> Result<String, Refusal> {
    let mut subject = subject.clone();
    json::settle(&mut subject).map_err(|why| Refusal::invalid("subject", why))?;
    json::digest(&subject).map_err(|why| Refusal::invalid("subject", why.to_string()))
}
