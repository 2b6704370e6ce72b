//! What is special about Codex: a reply may only allow or deny, because Codex discards one with other members, and then
//! continues as if no hook had answered.

use holdpoint_core::{Decision, Status};
use serde_json::{Map, Value, json};

use super::input::{Event, Input};
use super::output;
use super::reply::Reply;
use super::terms::CallRoute;

/// Returns what a hook prints for an event; none if there is nothing to say.
pub(super) fn output(event: Event, reply: &Reply) -> Option<Value> {
    let specific = |mut members: Value| {
        members["hookEventName"] = event.name().into();
        Some(json!({ "hookSpecificOutput": members }))
    };
    match (event, reply) {
        // A tool is used unless the hook denies it; the hook can neither allow it nor leave it to Codex's own prompt.
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

/// Returns whether exactly this call was just allowed in the hook before it, so that the person is not asked again.
///
/// `decisions` are those of the session, oldest first.
pub fn is_allowed(input: &Input, decisions: &[Decision]) -> bool {
    let Ok(tool) = input.tool() else { return false };
    let asked = |decision: &&Decision| {
        let origin = decision.origin.as_ref();
        let extra = |key: &str| origin.and_then(|origin| origin.extra.get(key)).and_then(Value::as_str);
        let subject = decision.subject.as_ref();
        let called = subject.and_then(|subject| subject.get("input")).and_then(Value::as_object);
        extra("way") == Some(CallRoute::PreToolUse.name())
            && extra("prompt_id") == input.prompt()
            && extra("agent_id") == input.agent_id.as_deref()
            && subject.and_then(|subject| subject.get("tool")).and_then(Value::as_str) == Some(&tool.name)
            && called.is_some_and(|called| is_same(called, &tool.input))
    };
    let last = decisions.iter().rfind(asked);
    last.is_some_and(|decision| decision.status == Status::Answered && decision.consumed_at.is_some())
}

/// Compares two inputs. When Codex asks for a permission, it adds the reason in a separate member.
fn is_same(before: &Map<String, Value>, now: &Map<String, Value>) -> bool {
    let without = |input: &Map<String, Value>| {
        let mut input = input.clone();
        input.remove("description");
        input
    };
    without(before) == without(now)
}
