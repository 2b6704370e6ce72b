//! Replies in the asker's own format. An error is always a refusal, never silence that counts as a yes.

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::input::Event;
use super::reply::Reply;
use super::{codex, gemini};

/// Returns what a hook before a tool prints; none if there is nothing to say.
pub fn pre_tool_use(reply: &Reply) -> Option<Value> {
    let specific = |decision: &str, reason: &str| {
        json!({
            "hookEventName": Event::PreToolUse.name(),
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        })
    };
    match reply {
        Reply::Allow { input, note, by, .. } => {
            let by = by.as_ref().map(|rule| format!("Allowed by {rule}."));
            let reason = match (by, note) {
                (Some(by), Some(note)) => format!("{by} {note}"),
                (by, note) => {
                    by.or_else(|| note.clone()).unwrap_or_else(|| "Allowed by a person.".to_owned())
                }
            };
            let mut output = specific("allow", &reason);
            output["updatedInput"] = Value::Object(input.clone());
            if let Some(note) = note {
                output["additionalContext"] = note.as_str().into();
            }
            Some(json!({ "hookSpecificOutput": output }))
        }
        Reply::Deny { message, stop } => {
            let mut output = json!({ "hookSpecificOutput": specific("deny", message) });
            if *stop {
                output["continue"] = false.into();
                output["stopReason"] = message.as_str().into();
            }
            Some(output)
        }
        Reply::Defer { message } => Some(json!({ "hookSpecificOutput": specific("defer", message) })),
        // Without output, a tool that the settings allow would run.
        Reply::Leave { message } => Some(json!({ "hookSpecificOutput": specific("ask", message) })),
        Reply::Silent => None,
    }
}

/// Returns what a hook in place of the permission prompt prints; none if there is nothing to say.
pub fn permission_request(reply: &Reply) -> Option<Value> {
    let output = |decision: Value| json!({ "hookSpecificOutput": { "hookEventName": Event::PermissionRequest.name(), "decision": decision } });
    match reply {
        Reply::Allow { input, note, permissions, .. } => {
            let mut decision = json!({ "behavior": "allow", "updatedInput": input });
            if !permissions.is_empty() {
                decision["updatedPermissions"] = permissions.as_slice().into();
            }
            let mut output = output(decision);
            // The decision has no member for a text; at least the person at the terminal sees it.
            if let Some(note) = note {
                output["systemMessage"] = note.as_str().into();
            }
            Some(output)
        }
        Reply::Deny { message, stop } => {
            Some(output(json!({ "behavior": "deny", "message": message, "interrupt": stop })))
        }
        Reply::Defer { message } => {
            Some(output(json!({ "behavior": "deny", "message": message, "interrupt": false })))
        }
        // The prompt that this replaces is shown.
        Reply::Leave { .. } | Reply::Silent => None,
    }
}

/// Returns the text with which the permission prompt tool answers.
pub fn prompt_tool(reply: &Reply) -> Value {
    match reply {
        Reply::Allow { input, .. } => json!({ "behavior": "allow", "updatedInput": input }),
        Reply::Deny { message, stop } => json!({ "behavior": "deny", "message": message, "interrupt": stop }),
        Reply::Defer { message } | Reply::Leave { message } => {
            json!({ "behavior": "deny", "message": message })
        }
        Reply::Silent => json!({ "behavior": "deny", "message": "Nothing was decided." }),
    }
}

/// Returns what a hook prints for an event; for events that cannot refuse, only a message.
pub fn of(dialect: Dialect, event: Event, reply: &Reply) -> Option<Value> {
    match dialect {
        Dialect::Claude => {}
        Dialect::Codex => return codex::output(event, reply),
        Dialect::Gemini | Dialect::Opencode => return gemini::output(dialect, event, reply),
    }
    match event {
        Event::PreToolUse => pre_tool_use(reply),
        Event::PermissionRequest => permission_request(reply),
        Event::Stop => stop(reply),
        Event::PostToolUse
        | Event::PostToolUseFailure
        | Event::UserPromptSubmit
        | Event::Notification
        | Event::SessionStart
        | Event::SessionEnd => None,
    }
}

/// Returns what a hook prints to make the agent ask in its terminal; none if no output does that.
pub fn ask_there(dialect: Dialect, event: Event) -> Option<Value> {
    ((dialect, event) == (Dialect::Gemini, Event::PreToolUse)).then(gemini::ask)
}

/// Returns what keeps a session going: the message of the person who sent it back to work.
pub(super) fn stop(reply: &Reply) -> Option<Value> {
    match reply {
        Reply::Deny { message, .. } => Some(json!({ "decision": "block", "reason": message })),
        Reply::Allow { .. } | Reply::Defer { .. } | Reply::Leave { .. } | Reply::Silent => None,
    }
}

/// Returns the reply for a guarded tool: the person is asked, whatever the session's mode.
pub fn guard() -> Value {
    let why = "Holdpoint guards this tool: a person is asked about each use";
    json!({ "hookSpecificOutput": {
        "hookEventName": Event::PreToolUse.name(),
        "permissionDecision": "ask",
        "permissionDecisionReason": why,
    } })
}

/// Returns the output at the start of a session.
pub fn session_start(context: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": Event::SessionStart.name(), "additionalContext": context } })
}
