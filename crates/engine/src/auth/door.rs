//! The door that a request over HTTP came through first, where a program of ours passes it on: `hold mcp`, `hold acp` and hooks.
//!
//! It can only restrict: a program's door answers less than its credential would elsewhere.

use super::Caller;

/// The header that says so.
pub const HEADER: &str = "holdpoint-door";
/// A tool call of an MCP client.
pub const MCP: &str = "mcp";
/// A request of an agent to its editor.
pub const ACP: &str = "acp";
/// A hook of a coding agent.
pub const HOOK: &str = "hook";

/// A notice on a desktop.
pub const DESKTOP: &str = "desktop";

/// Returns the caller as it came through a door; one that is not known changes nothing.
#[must_use]
pub fn enter(mut caller: Caller, door: Option<&str>) -> Caller {
    match door {
        Some(name @ (MCP | HOOK | ACP | DESKTOP)) => {
            name.clone_into(&mut caller.actor.via);
            caller
        }
        _ => caller,
    }
}
