//! What is special about Gemini CLI: one hook before a tool, which runs in every approval mode of Gemini's. A yes
//! leaves the call to that mode, a no refuses it, and a third reply asks in its own dialog.

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::input::Event;
use super::reply::Reply;

/// The tools that change something, or send data out.
pub(super) const CHANGING: &str = "run_shell_command|write_file|replace|web_fetch|mcp_.*";
/// Appended to our command, because Gemini CLI continues after any other exit code.
pub(super) const BLOCKS: &str = " || exit 2";

/// Returns what a hook prints for an event, also to our plugin for opencode; none if there is nothing to say.
pub(super) fn output(dialect: Dialect, event: Event, reply: &Reply) -> Option<Value> {
    match (event, reply) {
        (Event::PreToolUse, Reply::Allow { .. }) => Some(json!({ "decision": "allow" })),
        (Event::PreToolUse, Reply::Leave { .. }) if dialect == Dialect::Gemini => Some(ask()),
        (
            Event::PreToolUse,
            Reply::Deny { message, .. } | Reply::Defer { message } | Reply::Leave { message },
        ) => Some(json!({ "decision": "deny", "reason": message })),
        _ => None,
    }
}

/// Makes Gemini CLI ask in its own dialog, in any mode.
pub(super) fn ask() -> Value {
    json!({ "decision": "ask" })
}
