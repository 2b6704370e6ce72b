//! Finds decisions that a person has settled in the client's own dialog. Claude Code does not end the waiting hook
//! then; the only sign is that the session has continued.

use holdpoint_core::{Decision, Status};
use serde_json::Value;

use super::input::{Event, Input};
use super::permission;
use super::terms::CallRoute;

/// Why such a decision is cancelled.
pub const ANSWERED_THERE: &str = "answered in the terminal";

/// The hooks that a session waits for; deferred decisions stay open until the session comes back.
const ASKED_HERE: [CallRoute; 2] = [CallRoute::PermissionRequest, CallRoute::PreToolUse];

/// Returns those of a session's decisions that must have been settled in the terminal, because the session has
/// continued.
///
/// `decisions` are those of the session, oldest first, including settled ones of the same prompt.
pub fn answered_there<'a>(event: Event, input: &Input, decisions: &'a [Decision]) -> Vec<&'a Decision> {
    let asked = |decision: &&Decision| {
        ASKED_HERE.iter().any(|way| origin(decision, "way") == Some(way.name()))
            && decision.origin.as_ref().is_some_and(|from| from.thread.as_deref() == Some(&input.session_id))
    };
    let pending = |decision: &&Decision| decision.status == Status::Pending;
    let asked = decisions.iter().filter(asked);
    match event {
        Event::PostToolUse | Event::PostToolUseFailure => {
            let Ok(tool) = input.tool() else { return Vec::new() };
            // The call may have changed its folder since.
            let call = permission::call(&tool);
            let same = |decision: &&Decision| {
                is_call(decision, &call)
                    && same_if_known(origin(decision, "prompt_id"), input.prompt())
                    && origin(decision, "agent_id") == input.agent_id.as_deref()
            };
            let of_call: Vec<_> = asked.filter(same).collect();
            // If one of two identical calls was allowed here, it is unknown which of them ran.
            if of_call.iter().any(|decision| decision.consumed_at.is_some()) {
                return Vec::new();
            }
            of_call.into_iter().find(pending).into_iter().collect()
        }
        // A new prompt, or the end of the turn: this agent has no open dialog any more.
        Event::UserPromptSubmit | Event::Stop => {
            let goes_on = |decision: &&Decision| {
                let sub_agent = origin(decision, "agent_id").is_some();
                sub_agent && (event == Event::UserPromptSubmit || !input.background_tasks.is_empty())
            };
            asked.filter(pending).filter(|decision| !goes_on(decision)).collect()
        }
        Event::PreToolUse
        | Event::PermissionRequest
        | Event::Notification
        | Event::SessionStart
        | Event::SessionEnd => Vec::new(),
    }
}

fn is_call(decision: &Decision, call: &Value) -> bool {
    let subject = decision.subject.as_ref();
    let same = |name: &str| subject.is_some_and(|subject| subject.get(name) == call.get(name));
    same("tool") && same("input")
}

fn origin<'a>(decision: &'a Decision, key: &str) -> Option<&'a str> {
    decision.origin.as_ref()?.extra.get(key)?.as_str()
}

/// Compares prompts, which older versions do not name.
fn same_if_known(one: Option<&str>, other: Option<&str>) -> bool {
    one.is_none() || other.is_none() || one == other
}
