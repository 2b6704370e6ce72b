//! What is special about Codex: a reply says allow or deny and nothing else, because Codex throws away one that says more,
//! and then goes on as if no hook had answered.

use holdpoint_core::{Decision, Refusal, Status};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::ask::Way;
use super::input::{Event, Input};
use super::output;
use super::reply::Reply;

/// Returns what a hook prints for an event; nothing if we have nothing to say.
pub(super) fn output(event: Event, reply: &Reply) -> Option<Value> {
    let specific = |mut members: Value| {
        members["hookEventName"] = event.name().into();
        Some(json!({ "hookSpecificOutput": members }))
    };
    match (event, reply) {
        // A tool is used unless somebody says no; there is no word for a yes, nor for leaving it to its own prompt.
        (
            Event::PreToolUse,
            Reply::Deny { message, .. } | Reply::Defer { message } | Reply::Leave { message },
        ) => specific(json!({ "permissionDecision": "deny", "permissionDecisionReason": message })),
        (Event::PermissionRequest, Reply::Allow { .. }) => {
            specific(json!({ "decision": { "behavior": "allow" } }))
        }
        (Event::PermissionRequest, Reply::Deny { message, .. } | Reply::Defer { message }) => {
            specific(json!({ "decision": { "behavior": "deny", "message": message } }))
        }
        (Event::Stop, reply) => output::stop(reply),
        _ => None,
    }
}

/// Returns whether somebody has just allowed this very call in the hook before it: then nobody is asked again.
///
/// `decisions` are those of the session, oldest first.
pub fn is_allowed(input: &Input, decisions: &[Decision]) -> bool {
    let Ok(tool) = input.tool() else { return false };
    let asked = |decision: &&Decision| {
        let origin = decision.origin.as_ref();
        let extra = |key: &str| origin.and_then(|origin| origin.extra.get(key)).and_then(Value::as_str);
        let subject = decision.subject.as_ref();
        let called = subject.and_then(|subject| subject.get("input")).and_then(Value::as_object);
        extra("way") == Some(Way::PreToolUse.name())
            && extra("prompt_id") == input.prompt()
            && extra("agent_id") == input.agent_id.as_deref()
            && subject.and_then(|subject| subject.get("tool")).and_then(Value::as_str) == Some(&tool.name)
            && called.is_some_and(|called| is_same(called, &tool.input))
    };
    let last = decisions.iter().rfind(asked);
    last.is_some_and(|decision| decision.status == Status::Answered && decision.consumed_at.is_some())
}

/// When it asks for a permission, Codex says why in a member of its own.
fn is_same(before: &Map<String, Value>, now: &Map<String, Value>) -> bool {
    let without = |input: &Map<String, Value>| {
        let mut input = input.clone();
        input.remove("description");
        input
    };
    without(before) == without(now)
}

/// What the program that `notify` names is given as its argument.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Notification {
    #[serde(rename = "type")]
    kind: String,
    thread_id: String,
    turn_id: Option<String>,
    cwd: Option<String>,
    last_assistant_message: Option<String>,
}

/// Reads what `notify` says as a notice that the session waits; nothing if it is not of that form.
pub(super) fn notification(value: &Value) -> Option<Result<Input, Refusal>> {
    value.get("type")?;
    let wrong = |why: String| Refusal::invalid("notify", why);
    Some(match Notification::deserialize(value) {
        Ok(said) if said.kind == "agent-turn-complete" => Ok(Input {
            session_id: said.thread_id,
            hook_event_name: Event::Notification.name().to_owned(),
            cwd: said.cwd,
            turn_id: said.turn_id,
            message: said.last_assistant_message.filter(|said| !said.trim().is_empty()),
            notification_type: Some("idle_prompt".to_owned()),
            ..Input::default()
        }),
        Ok(said) => Err(wrong(format!("type {:?} is not agent-turn-complete", said.kind))),
        Err(why) => Err(wrong(why.to_string())),
    })
}
