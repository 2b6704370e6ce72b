//! What silence means: what happens at the deadline of a decision.

use holdpoint_core::{Decision, OnTimeout};

use super::span;
use super::wording::{given, short};

/// What happens at the deadline, around the time that is left: “Refused” in 4 min “ if nobody answers”.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AtDeadline {
    pub(crate) before: String,
    pub(crate) after: &'static str,
}

impl AtDeadline {
    /// Returns what happens at the deadline of a decision.
    pub(crate) fn of(decision: &Decision) -> Self {
        let (before, after) = match decision.on_timeout {
            OnTimeout::Expire => ("Expires".to_owned(), ""),
            OnTimeout::Deny => ("Refused".to_owned(), " if nobody answers"),
            OnTimeout::Cancel => ("Expires".to_owned(), ", and its owner is cancelled"),
            OnTimeout::Default => (format!("“{}”", default_words(decision)), " if nobody answers"),
        };
        Self { before, after }
    }

    /// Says it, with so many milliseconds left.
    pub(crate) fn sentence(&self, left: i64) -> String {
        format!("{} in {}{}", self.before, span::remaining(left), self.after)
    }
}

fn default_words(decision: &Decision) -> String {
    let taken = decision.default.as_ref().map(|values| given(decision, values, None)).unwrap_or_default();
    let taken: Vec<String> = taken.into_iter().map(|(_, value)| value).collect();
    short(&taken.join(", "), 200)
}
