//! What is special about Gemini CLI: one hook before a tool, which acts whatever Gemini's own approval mode is. A yes leaves the
//! call to that mode, a no ends it, and there is a word for asking in its own dialog.

use serde_json::{Value, json};

use super::dialect::Dialect;
use super::input::Event;
use super::reply::Reply;

/// What it calls the moment before a tool is used.
pub(super) const BEFORE_TOOL: &str = "BeforeTool";
/// The tools that change something, or send something out.
pub(super) const CHANGING: &str = "run_shell_command|write_file|replace|web_fetch|mcp_.*";
/// Put after our command: whatever else a hook ends with, Gemini CLI goes on.
pub(super) const BLOCKS: &str = " || exit 2";

/// Returns what a hook prints for an event, also to our plugin for opencode; nothing if we have nothing to say.
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

/// Has Gemini CLI ask in its own dialog, whatever its mode.
pub(super) fn ask() -> Value {
    json!({ "decision": "ask" })
}
