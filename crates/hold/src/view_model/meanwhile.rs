//! What happened to a decision while somebody answered it, in words.

use holdpoint_core::{Decision, Status};

use super::wording::{answered, sentence, short};

/// The message when the question has changed.
pub(crate) const STALE: &str =
    "The agent changed this. Nothing was sent; your text is kept. Check it and send again.";

/// Says that it is unknown whether an answer arrived.
pub(crate) fn lost(why: &str) -> String {
    format!("{} Not confirmed. Send again; it counts only once.", sentence(why))
}

/// Says who was faster, and how it ended.
pub(crate) fn raced(settled: &Decision) -> String {
    let by = || settled.answer.as_ref().map_or_else(|| "someone".to_owned(), |answer| short(&answer.by, 60));
    let first = match settled.status {
        Status::Pending | Status::Answered => format!("{} answered first", by()),
        Status::Refined => format!("{} requested changes first", by()),
        Status::TimedOut => "the deadline passed first".to_owned(),
        Status::Cancelled => "this was cancelled first".to_owned(),
        Status::Superseded => "a newer decision replaced this".to_owned(),
    };
    format!("Not sent: {first}")
}

/// Says how a decision was settled while someone looked at it.
pub(crate) fn settled_meanwhile(decision: &Decision) -> String {
    let by = || decision.answer.as_ref().map_or_else(|| "Someone".to_owned(), |answer| short(&answer.by, 60));
    let how = match decision.status {
        Status::Pending | Status::Answered => format!("{} already answered", by()),
        Status::Refined => format!("{} already requested changes", by()),
        Status::TimedOut => "The deadline passed".to_owned(),
        Status::Cancelled => "This was cancelled".to_owned(),
        Status::Superseded => "A newer decision replaced this".to_owned(),
    };
    let what = answered(decision);
    let what = if what.is_empty() { String::new() } else { format!(": {}", short(&what, 120)) };
    format!("{how}{what}. Nothing was sent.")
}
