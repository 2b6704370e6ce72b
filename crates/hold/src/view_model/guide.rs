//! What requesting changes does for a decision, and whether it is possible.

use holdpoint_core::decision::{fitting_option, opens_next};
use holdpoint_core::{Decision, Source};

use super::wording;

/// What requesting changes does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChangeRequest {
    /// Changes cannot be requested.
    No,
    /// Changes could be requested before; this is the last round.
    LastRound,
    /// Changes can be requested; the text describes what follows.
    Takes(String),
}

/// Returns what requesting changes does.
pub(crate) fn of(decision: &Decision) -> ChangeRequest {
    match decision.source {
        Source::Request => ChangeRequest::No,
        Source::Question if !opens_next(decision) => {
            ChangeRequest::Takes("Answers in your own words; the agent gets them.".into())
        }
        Source::Question | Source::Form if decision.iteration >= decision.max_iterations => {
            ChangeRequest::LastRound
        }
        Source::Question | Source::Form => ChangeRequest::Takes(format!(
            "Opens round {} of {}. The agent is told, and asks again.",
            decision.iteration + 1,
            decision.max_iterations
        )),
        _ => {
            let fitting = fitting_option(decision);
            let option = fitting.and_then(|(field, option)| decision.field(&field)?.option(&option));
            option.map_or(ChangeRequest::No, |option| {
                ChangeRequest::Takes(format!("Sends “{}” with your text.", wording::short(&option.label, 80)))
            })
        }
    }
}

/// The text shown in the last round.
pub(crate) const LAST_ROUND: &str = "This is the last round; you cannot request more changes.";
