//! The plugin for opencode, which hands each call of a tool to our hook.

use holdpoint_core::Refusal;
use serde_json::json;

use super::settings::Install;

const PLUGIN: &str = include_str!("opencode.js");
/// The line of the plugin that says what is run.
const COMMAND: &str = "const COMMAND = [\"hold\"];";

/// Returns the plugin's source.
///
/// # Errors
/// If the installation names something that opencode has no place for.
pub fn plugin(install: &Install) -> Result<String, Refusal> {
    for (field, is_asked) in [
        ("guard", !install.guards.is_empty()),
        ("idle", install.idle),
        ("defer", install.defer),
        ("on-failure", install.ask_on_failure),
    ] {
        if is_asked {
            let why = "is not for opencode: its plugin asks about every tool that does more than look";
            return Err(Refusal::invalid(field, why));
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
