//! The outcome of a decision, reduced to what a decision point can express.

use holdpoint_core::decision::chosen;
use holdpoint_core::field::has_custom_text;
use holdpoint_core::{Answer, Decision, Opt, Source, Status};
use serde_json::Value;

/// What a person chose or wrote, and who it was.
#[derive(Debug, Default)]
pub(super) struct Reply<'a> {
    pub(super) selected: Option<&'a Opt>,
    pub(super) text: Option<String>,
    pub(super) by: Option<&'a str>,
}

/// Returns the reply of a settled decision; an empty one while it is pending.
pub(super) fn reply(decision: &Decision) -> Reply<'_> {
    match (&decision.status, &decision.answer) {
        (Status::Answered | Status::TimedOut, Some(answer)) => {
            let picked = chosen(decision);
            // The patch set of a verdict is not a separate answer.
            let verdict = || picked.iter().find(|one| one.option.effect.is_some());
            let selected = match picked.as_slice() {
                [only] => Some(only.option),
                _ if decision.source == Source::Verdict => verdict().map(|one| one.option),
                _ => None,
            };
            Reply { selected, text: answer_text(answer, selected.is_some()), by: Some(&answer.by) }
        }
        (Status::Refined, Some(answer)) => {
            Reply { selected: None, text: answer_text(answer, false), by: Some(&answer.by) }
        }
        (Status::TimedOut, None) => Reply { by: Some("system:timeout"), ..Reply::default() },
        _ => Reply::default(),
    }
}

/// Returns the person's text; without any other answer, the values as they are.
fn answer_text(answer: &Answer, selected: bool) -> Option<String> {
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
