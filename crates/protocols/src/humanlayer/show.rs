//! The reply to an agent: the call in its current state.

use holdpoint_core::decision::{chosen, consents_to_subject, is_refusal};
use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Decision, Opt, Status};
use serde_json::{Map, Value, json};

use super::{APPROVE, CallKind, INTERACTIVE, RESPONSE, STATE};

/// Formats a decision as the call that it came from.
pub fn show(kind: CallKind, decision: &Decision) -> Value {
    let origin = decision.origin.as_ref();
    let (spec, status) = match kind {
        CallKind::FunctionCall => {
            let of_subject = |name: &str| decision.subject.as_ref().and_then(|subject| subject.get(name));
            let kwargs = of_subject("arguments").filter(|value| value.is_object()).cloned();
            let spec = json!({
                "fn": of_subject("tool").and_then(Value::as_str).unwrap_or_default(),
                "kwargs": kwargs.unwrap_or_else(|| json!({})),
                "channel": null,
                "reject_options": options(decision),
                "state": state(decision),
            });
            (spec, approval(decision))
        }
        CallKind::HumanContact => {
            let spec = json!({
                "msg": decision.prompt.as_deref().unwrap_or_default(),
                "subject": decision.title,
                "channel": null,
                "response_options": options(decision),
                "state": state(decision),
            });
            (spec, contact(decision))
        }
    };
    json!({
        "run_id": origin.and_then(|origin| origin.thread.as_deref()).unwrap_or_default(),
        "call_id": origin.and_then(|origin| origin.id.as_deref()).unwrap_or_default(),
        "spec": spec,
        "status": status,
    })
}

/// Returns the body of `HumanLayer`'s webhook for a settled decision; none if it did not come from `HumanLayer`, or if
/// there is no response to a message.
pub fn webhook(decision: &Decision) -> Option<Value> {
    let kind = CallKind::of(decision)?;
    let event = show(kind, decision);
    let said = match kind {
        CallKind::FunctionCall => &event["status"]["approved"],
        CallKind::HumanContact => &event["status"]["response"],
    };
    (!said.is_null())
        .then(|| json!({ "is_test": false, "type": format!("{}.completed", kind.name()), "event": event }))
}

/// Describes why there will be no response to a message. A function call is denied then; a message has no member for
/// it.
pub fn unanswered(kind: CallKind, decision: &Decision) -> Option<String> {
    let is_over = decision.status != Status::Pending && response(decision).is_none();
    (kind == CallKind::HumanContact && is_over).then(|| format!("nobody responds: {}", ended(decision)))
}

fn approval(decision: &Decision) -> Value {
    let picked = picked(decision);
    let said = decision.answer.as_ref().and_then(|answer| answer.message.as_deref());
    let (approved, comment) = match decision.status {
        Status::Pending => (None, None),
        Status::Answered if is_consent(decision) => (Some(true), said.map(str::to_owned)),
        // The SDKs do not accept a denial without a comment.
        Status::Answered => {
            let words =
                said.or(picked.filter(|option| is_theirs(option)).map(|option| option.label.as_str()));
            (Some(false), Some(words.unwrap_or("Denied; no reason was given.").to_owned()))
        }
        _ => (Some(false), Some(format!("Not approved: {}", ended(decision)))),
    };
    let rejected = picked.filter(|option| approved == Some(false) && is_theirs(option));
    json!({
        "requested_at": decision.created_at,
        "responded_at": decision.settled_at,
        "approved": approved,
        "comment": comment,
        "reject_option_name": rejected.map(|option| &option.id),
        "slack_message_ts": null,
    })
}

/// Returns whether the answer is a consent: only our own option is one, and only to the current version.
fn is_consent(decision: &Decision) -> bool {
    let Some(answer) = &decision.answer else { return false };
    consents_to_subject(decision, &answer.values, answer.out.as_deref())
        && !is_refusal(decision)
        && !decision.answers_another()
        && picked(decision).is_some_and(|option| option.id == APPROVE && !is_theirs(option))
}

fn contact(decision: &Decision) -> Value {
    let response = response(decision);
    let option = picked(decision).filter(|_| response.is_some());
    json!({
        "requested_at": decision.created_at,
        "responded_at": decision.settled_at.filter(|_| response.is_some()),
        "response": response,
        "response_option_name": option.map(|option| &option.id),
    })
}

/// Returns a person's response; never an empty text, which the SDKs treat as none.
fn response(decision: &Decision) -> Option<String> {
    let answer = decision.answer.as_ref().filter(|_| decision.status == Status::Answered)?;
    let value = answer.values.get(RESPONSE);
    let own = value.and_then(has_custom_text).or_else(|| match picked(decision) {
        Some(option) => Some(answer.message.as_deref().unwrap_or(&option.label)),
        None => value.and_then(Value::as_str),
    });
    own.or(answer.message.as_deref()).filter(|said| !said.is_empty()).map(str::to_owned)
}

fn ended(decision: &Decision) -> String {
    match decision.status {
        Status::TimedOut => "nobody answered in time.".to_owned(),
        Status::Cancelled => match decision.reason.as_deref() {
            Some(reason) => format!("the question was taken back: {reason}"),
            None => "the question was taken back.".to_owned(),
        },
        status => format!("the question is {status}."),
    }
}

fn picked(decision: &Decision) -> Option<&Opt> {
    match chosen(decision).as_slice() {
        [only] => Some(only.option),
        _ => None,
    }
}

fn is_theirs(option: &Opt) -> bool {
    option.extra.contains_key(INTERACTIVE)
}

fn options(decision: &Decision) -> Option<Vec<Value>> {
    let options = decision.fields.iter().flat_map(|field| &field.options).filter(|option| is_theirs(option));
    let shown: Vec<Value> = options
        .map(|option| {
            json!({
                "name": option.id,
                "title": (option.label != option.id).then_some(&option.label),
                "description": option.description,
                "prompt_fill": option.extra.get("prompt_fill"),
                "interactive": option.extra.get(INTERACTIVE),
            })
        })
        .collect();
    (!shown.is_empty()).then_some(shown)
}

fn state(decision: &Decision) -> Option<Map<String, Value>> {
    let text = decision.origin.as_ref()?.extra.get(STATE)?.as_str()?;
    serde_json::from_str(text).ok()
}
