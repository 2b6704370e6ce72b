//! What is special about Gemini CLI: one hook before a tool, which says allow or deny. It acts whatever Gemini's own
//! approval mode is, and after a person has confirmed a call in the terminal.

use serde_json::{Value, json};

use super::input::Event;
use super::reply::Reply;

/// What it calls the moment before a tool is used.
pub(super) const BEFORE_TOOL: &str = "BeforeTool";
/// The tools that change something, or send something out.
pub(super) const CHANGING: &str = "run_shell_command|write_file|replace|web_fetch|mcp_.*";
/// Put after our command: whatever else a hook ends with, Gemini CLI goes on.
pub(super) const BLOCKS: &str = " || exit 2";

/// Returns what a hook prints for an event; nothing if we have nothing to say.
pub(super) fn output(event: Event, reply: &Reply) -> Option<Value> {
    match (event, reply) {
        (Event::PreToolUse, Reply::Allow { .. }) => Some(json!({ "decision": "allow" })),
        // There is no word for leaving it to its own prompt, which has been answered already.
        (
            Event::PreToolUse,
            Reply::Deny { message, .. } | Reply::Defer { message } | Reply::Leave { message },
        ) => Some(json!({ "decision": "deny", "reason": message })),
        _ => None,
    }
}
