//! What an asker wants, in a sentence after its name.

use holdpoint_core::{Decision, Source};
use holdpoint_protocols::present;

/// Says what happened that someone is asked.
pub(crate) fn why(source: Source) -> &'static str {
    match source {
        Source::Question => "has a question",
        Source::Approval => "wants to do this",
        Source::Plan => "has a plan",
        Source::Gate => "failed a gate",
        Source::Idle => "is idle",
        Source::Dead => "ended unexpectedly",
        Source::Error => "hit an error",
        Source::Request => "sent a request",
        Source::Form => "needs a form filled in",
        Source::Verdict => "wants a verdict",
    }
}

/// Says what an asker wants, by what the decision is about where that is known.
pub(crate) fn wants(decision: &Decision) -> String {
    let subject = present::subject(decision).filter(|_| decision.source == Source::Approval);
    match subject.and_then(|subject| subject.wants()) {
        Some(what) => format!("wants to {what}"),
        None => why(decision.source).to_owned(),
    }
}
