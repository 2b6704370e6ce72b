//! Answers of people through a `HumanLayer` client, and additions of an agent.

use holdpoint_core::decision::{AnswerInput, Revision};
use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Refusal, Status, Values};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{APPROVE, CHOICE, CallKind, DENY, RESPONSE, read};

#[derive(Deserialize)]
struct Approval {
    #[serde(default)]
    approved: Option<bool>,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    reject_option_name: Option<String>,
}

#[derive(Deserialize)]
struct Contact {
    #[serde(default)]
    response: Option<String>,
    #[serde(default)]
    response_option_name: Option<String>,
}

#[derive(Deserialize)]
struct Escalation {
    escalation_msg: String,
}

/// Reads a status as an answer to the current version of a decision.
pub fn respond(kind: CallKind, decision: &Decision, body: Value) -> Result<AnswerInput, Refusal> {
    let (value, message) = match kind {
        CallKind::FunctionCall => approval(decision, read(body)?)?,
        CallKind::HumanContact => contact(decision, read(body)?)?,
    };
    let field = match kind {
        CallKind::FunctionCall => CHOICE,
        CallKind::HumanContact => RESPONSE,
    };
    Ok(AnswerInput {
        values: Values::from_iter([(field.to_owned(), value)]),
        message,
        digest: Some(decision.digest.clone()),
        ..AnswerInput::default()
    })
}

fn approval(decision: &Decision, said: Approval) -> Result<(Value, Option<String>), Refusal> {
    let comment = filled(said.comment);
    let refuses = |id: &str| {
        decision.field(CHOICE).and_then(|field| field.option(id)).is_some_and(|option| option.refuses)
    };
    match (said.approved, filled(said.reject_option_name)) {
        (None, _) => Err(Refusal::invalid("approved", "must be true or false")),
        (Some(true), Some(_)) => Err(Refusal::invalid("reject_option_name", "goes with approved: false")),
        (Some(true), None) => Ok((APPROVE.into(), comment)),
        (Some(false), Some(option)) if !refuses(&option) => Err(Refusal::invalid(
            "reject_option_name",
            format!("{} is not an option that rejects", quote(&option)),
        )),
        (Some(false), None) if comment.is_none() => {
            Err(Refusal::invalid("comment", "say why: a denial without a comment is not taken by the SDKs"))
        }
        (Some(false), option) => Ok((option.unwrap_or_else(|| DENY.to_owned()).into(), comment)),
    }
}

fn contact(decision: &Decision, said: Contact) -> Result<(Value, Option<String>), Refusal> {
    let offers = decision.field(RESPONSE).is_some_and(|field| field.kind.picks());
    match (filled(said.response), filled(said.response_option_name)) {
        (None, None) => Err(Refusal::invalid("response", "is empty; say something")),
        (response, Some(option)) => Ok((option.into(), response)),
        (Some(response), None) if offers => Ok((json!({ "text": response }), None)),
        (Some(response), None) => Ok((response.into(), None)),
    }
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Returns whether the function call and the options never changed, according to the events of a decision. A response
/// has no digest, so only then is the consent certain to be for what was seen, whenever that was.
pub fn is_as_asked(decision: &Decision, events: &[Map<String, Value>]) -> bool {
    let fields = json!(decision.fields);
    let tag = |event: &Map<String, Value>| event.get("type").and_then(Value::as_str).map(str::to_owned);
    let mut versions = events
        .iter()
        .filter(|event| matches!(tag(event).as_deref(), Some("decision:created" | "decision:revised")))
        .peekable();
    let is_same = |event: &Map<String, Value>| {
        event.get("subject_digest").and_then(Value::as_str) == decision.subject_digest.as_deref()
            && event.get("fields") == Some(&fields)
    };
    versions.peek().is_some_and(|first| tag(first).as_deref() == Some("decision:created"))
        && versions.all(is_same)
}

/// Adds an agent's escalation message to what people read; none if it is there already. Its recipients are ignored: the
/// server's policies decide who is notified.
pub fn escalate(decision: &Decision, body: Value) -> Result<Option<Revision>, Refusal> {
    let escalation: Escalation = read(body)?;
    let Some(message) = filled(Some(escalation.escalation_msg)) else {
        return Err(Refusal::invalid("escalation_msg", "is empty; say why it is urgent"));
    };
    let added = format!("**Escalated:** {}", message.trim());
    let prompt = decision.prompt.as_deref().unwrap_or_default();
    if decision.status != Status::Pending || prompt.ends_with(&added) {
        return Ok(None);
    }
    let gap = if prompt.is_empty() { "" } else { "\n\n" };
    Ok(Some(Revision {
        prompt: Some(format!("{prompt}{gap}{added}")),
        over: Some(decision.digest.clone()),
        ..Revision::default()
    }))
}
