//! The input that Codex passes to the program in its `notify` setting.

use holdpoint_core::Refusal;
use serde::Deserialize;
use serde_json::Value;

use super::input::{Event, Input};

/// The argument of the program in `notify`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Notification {
    #[serde(rename = "type")]
    kind: String,
    thread_id: String,
    turn_id: Option<String>,
    cwd: Option<String>,
    last_assistant_message: Option<String>,
}

/// Reads the argument of `notify` as a notice that the session waits; none if it does not have that form.
pub(super) fn read(value: &Value) -> Option<Result<Input, Refusal>> {
    value.get("type")?;
    let wrong = |why: String| Refusal::invalid("notify", why);
    Some(match Notification::deserialize(value) {
        Ok(said) if said.kind == "agent-turn-complete" => Ok(Input {
            session_id: said.thread_id,
            hook_event_name: Event::Notification.name().to_owned(),
            cwd: said.cwd,
            turn_id: said.turn_id,
            message: said.last_assistant_message.filter(|said| !said.trim().is_empty()),
            notification_type: Some("idle_prompt".to_owned()),
            ..Input::default()
        }),
        Ok(said) => Err(wrong(format!("type {:?} is not agent-turn-complete", said.kind))),
        Err(why) => Err(wrong(why.to_string())),
    })
}
