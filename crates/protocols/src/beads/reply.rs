//! The outcome of a decision, in the few words a decision point has for it.

use holdpoint_core::decision::chosen;
use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Answer, Decision, Opt, Status};
use serde_json::Value;

/// What a person picked or wrote, and who it was.
#[derive(Debug, Default)]
pub(super) struct Reply<'a> {
    pub(super) selected: Option<&'a Opt>,
    pub(super) text: Option<String>,
    pub(super) by: Option<&'a str>,
}

/// Reads the reply out of a settled decision; nothing of it while it is pending.
pub(super) fn reply(decision: &Decision) -> Reply<'_> {
    match (&decision.status, &decision.answer) {
        (Status::Answered | Status::TimedOut, Some(answer)) => {
            let picked = chosen(decision);
            let selected = if let [only] = picked.as_slice() { Some(only.option) } else { None };
            Reply { selected, text: words(answer, selected.is_some()), by: Some(&answer.by) }
        }
        (Status::Refined, Some(answer)) => {
            Reply { selected: None, text: words(answer, false), by: Some(&answer.by) }
        }
        (Status::TimedOut, None) => Reply { by: Some("system:timeout"), ..Reply::default() },
        _ => Reply::default(),
    }
}

/// The person's own words; where nothing else tells what was answered, the values as they stand.
fn words(answer: &Answer, selected: bool) -> Option<String> {
    let custom = answer.values.values().find_map(has_custom_text);
    if let Some(text) = custom.or(answer.message.as_deref()) {
        return Some(text.to_owned());
    }
    match answer.values.values().collect::<Vec<_>>().as_slice() {
        _ if selected => None,
        [] => None,
        [Value::String(text)] => Some(text.clone()),
        _ => Some(Value::Object(answer.values.clone()).to_string()),
    }
}
