//! What an asker wants, as a sentence that follows its name.

use holdpoint_core::{Decision, Source};
use holdpoint_protocols::present;

/// Describes why someone is asked.
pub(crate) fn why(source: Source) -> &'static str {
    match source {
        Source::Question => "has a question",
        Source::Approval => "asks for approval",
        Source::Plan => "has a plan",
        Source::Gate => "failed a gate",
        Source::Idle => "is idle",
        Source::Dead => "ended unexpectedly",
        Source::Error => "hit an error",
        Source::Request => "has a request",
        Source::Form => "needs a form filled in",
        Source::Verdict => "wants a verdict",
    }
}

/// Describes what an asker wants, by the decision's subject if that is known.
pub(crate) fn request_sentence(decision: &Decision) -> String {
    let subject = present::subject(decision).filter(|_| decision.source == Source::Approval);
    match subject.and_then(|subject| subject.wants()) {
        Some(what) => format!("wants to {what}"),
        None => why(decision.source).to_owned(),
    }
}
