//! A decision's ids and its raw subject: for those who compare, one key away from those who decide.

use std::fmt::Write as _;

use holdpoint_core::Decision;
use holdpoint_core::text::inert;
use serde_json::Value;

/// The heading of the details.
pub(crate) const TITLE: &str = "Details";

/// Lists the ids and digests of a decision, and the ids of others that ask the same.
pub(crate) fn facts(decision: &Decision, same: &[Decision]) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Decision", decision.id.to_string())];
    facts.push(("Digest", decision.digest.clone()));
    facts.extend(decision.subject_digest.clone().map(|digest| ("Subject", digest)));
    facts.extend(same.iter().map(|other| ("The same", other.id.to_string())));
    facts
}

/// Formats a subject as it was sent: a text as it is, anything else as JSON.
pub(crate) fn raw(subject: &Value) -> String {
    match subject {
        Value::String(text) => inert(text),
        other => inert(&serde_json::to_string_pretty(other).unwrap_or_default()),
    }
}

/// Formats all details as lines.
pub(crate) fn text(decision: &Decision, same: &[Decision]) -> String {
    let mut text = String::new();
    for (name, value) in facts(decision, same) {
        let _ = writeln!(text, "{name}: {value}");
    }
    if let Some(subject) = &decision.subject {
        let _ = write!(text, "\n{}", raw(subject));
    }
    text.trim_end().to_owned()
}
