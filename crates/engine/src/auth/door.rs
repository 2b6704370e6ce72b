//! The door through which an HTTP request first came, if one of our programs forwards it: `hold mcp`, `hold acp` and
//! hooks.
//!
//! It can only restrict: through a program's door a caller may do less than its credential would allow elsewhere.

use super::Caller;

/// The header that names the door.
pub const HEADER: &str = "holdpoint-door";
/// A tool call of an MCP client.
pub const MCP: &str = "mcp";
/// A request of an agent to its editor.
pub const ACP: &str = "acp";
/// A hook of a coding agent.
pub const HOOK: &str = "hook";

/// A notification on a desktop.
pub const DESKTOP: &str = "desktop";

/// Returns the caller as one that came through a door; an unknown door changes nothing.
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
