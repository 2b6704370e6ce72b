//! What silence means: what happens at the deadline of a decision.

use holdpoint_core::{Decision, OnTimeout};

use super::words::{given, short};

/// Says what happens at the deadline.
pub(crate) fn silence(decision: &Decision) -> String {
    match decision.on_timeout {
        OnTimeout::Expire => "then it ends without an answer".into(),
        OnTimeout::Deny => "then it counts as refused".into(),
        OnTimeout::Cancel => "then it ends without an answer and its owner is cancelled".into(),
        OnTimeout::Default => format!("then the default applies: {}", default_words(decision)),
    }
}

/// Says what happens at the deadline, around how long that is off: “Refused” in 4 min “ if nobody answers”.
pub(crate) fn at_deadline(decision: &Decision) -> (String, &'static str) {
    match decision.on_timeout {
        OnTimeout::Expire => ("Expires".into(), ""),
        OnTimeout::Deny => ("Refused".into(), " if nobody answers"),
        OnTimeout::Cancel => ("Expires".into(), ", and its owner is cancelled"),
        OnTimeout::Default => (format!("“{}”", default_words(decision)), " if nobody answers"),
    }
}

fn default_words(decision: &Decision) -> String {
    let taken = decision.default.as_ref().map(|values| given(decision, values, None)).unwrap_or_default();
    let taken: Vec<String> = taken.into_iter().map(|(_, value)| value).collect();
    short(&taken.join(", "), 200)
}
