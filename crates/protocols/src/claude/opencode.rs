//! The plugin for opencode, which passes each tool call to our hook.

use holdpoint_core::Refusal;
use serde_json::json;

use super::settings::Install;

const PLUGIN: &str = include_str!("opencode.js");
/// The line of the plugin with the command.
const COMMAND: &str = "const COMMAND = [\"hold\"];";

/// Returns the plugin's source.
///
/// # Errors
/// If the installation has settings that opencode does not support.
pub fn plugin(install: &Install) -> Result<String, Refusal> {
    for (field, is_asked, why) in [
        ("guard", !install.guards.is_empty(), "its plugin asks about every tool that does more than look"),
        ("idle", install.idle, "its plugin is not told when a session stops"),
        ("defer", install.defer, "it cannot resume a call"),
        (
            "on-failure",
            install.ask_on_failure,
            "its plugin can only allow or refuse a call, not leave it to opencode",
        ),
    ] {
        if is_asked {
            return Err(Refusal::invalid(field, format!("is not for opencode: {why}")));
        }
    }
    let mut command = vec![install.program.clone(), "hook".into(), "opencode".into(), "PreToolUse".into()];
    command.extend(install.hold_flags()?);
    Ok(PLUGIN.replace(COMMAND, &format!("const COMMAND = {};", json!(command))))
}

/// Returns whether a file is our plugin.
pub fn is_plugin(text: &str) -> bool {
    PLUGIN.lines().next().is_some_and(|mark| text.starts_with(mark))
}
