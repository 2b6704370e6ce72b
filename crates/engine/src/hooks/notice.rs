//! The desktop notification, if there is a desktop and no hook is set.

use std::path::PathBuf;

use holdpoint_core::decision::Asker;
use holdpoint_core::text::inert_line;
use serde_json::Value;

/// Returns the program that shows desktop notifications, if there is one.
pub fn desktop_notice() -> Option<PathBuf> {
    if cfg!(target_os = "macos") {
        return on_path("osascript");
    }
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()));
    desktop.then(|| on_path("notify-send")).flatten()
}

/// Returns the arguments that show a notification of a decision. The agent's words are passed as data, never as
/// options.
pub(super) fn arguments(payload: &Value) -> Vec<String> {
    let decision = &payload["decision"];
    let text = |key: &str| decision[key].as_str().map(inert_line).unwrap_or_default();
    let asked = if text("title").is_empty() { text("prompt") } else { text("title") };
    let body: String = asked.chars().take(200).collect();
    let (checked, claimed) = (decision["asked_by"].as_str(), decision["requested_by"].as_str());
    let from = checked.or(claimed).map(|_| format!(", from {}", Asker { checked, claimed }));
    let title = format!("Decision needed: {}{}", text("source"), from.unwrap_or_default());
    let how = format!("{body}\nhold answer {}", text("id"));
    if cfg!(target_os = "macos") {
        // The text is passed as arguments of the script, so that none of it is run as AppleScript.
        let script = "on run a\ndisplay notification (item 2 of a) with title (item 1 of a)\nend run";
        vec!["-e".into(), script.into(), title, how]
    } else {
        vec!["--app-name=Holdpoint".into(), "--".into(), title, escape_markup(&how)]
    }
}

/// Escapes the markup that notification servers interpret.
fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
