//! The form in which an event of the log is shown: flat, with the keys that people and programs look for.

use holdpoint_protocols::oddjobs;
use holdpoint_store::Logged;
use serde_json::{Map, Value, json};

/// Returns an event as one flat object: `seq, type, at, project, stream, id` and the members of the event.
pub fn view(logged: &Logged) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert("seq".into(), json!(logged.seq));
    shown.insert("type".into(), json!(logged.tag));
    shown.insert("at".into(), json!(logged.at));
    shown.insert("project".into(), Value::Null);
    shown.insert("stream".into(), json!(logged.stream));
    shown.insert("id".into(), Value::Null);
    match &logged.body {
        Some(whole @ Value::Object(body)) => {
            for (key, value) in body {
                // Messages of a conversation that did not become an answer are only for its participants.
                if !matches!(key.as_str(), "asked_with" | "callback" | "created_with" | "talk") {
                    shown.insert(key.clone(), value.clone());
                }
            }
            shown.extend(oddjobs::event::derived(&logged.tag, logged.at, whole));
        }
        _ => {
            shown.insert("erased".into(), json!(true));
        }
    }
    shown
}

/// Removes what is only for people: the accounts and messages with which they answered.
pub(crate) fn keep_from_programs(shown: &mut Map<String, Value>) {
    for part in ["answer", "vote"] {
        if let Some(Value::Object(part)) = shown.get_mut(part) {
            part.remove("channel");
        }
    }
}
