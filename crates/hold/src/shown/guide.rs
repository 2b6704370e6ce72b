//! What asking for changes means here, and whether it can be done.

use holdpoint_core::decision::{fitting_option, opens_next};
use holdpoint_core::{Decision, Source};

use super::words;

/// What asking for changes comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Guide {
    /// It cannot be done here.
    No,
    /// It could be done before; this is the last round.
    LastRound,
    /// It can be done; the words say what follows.
    Takes(String),
}

/// Says what asking for changes comes to.
pub(crate) fn of(decision: &Decision) -> Guide {
    match decision.source {
        Source::Request => Guide::No,
        Source::Question if !opens_next(decision) => {
            Guide::Takes("Answers in your own words; the agent gets them.".into())
        }
        Source::Question | Source::Form if decision.iteration >= decision.max_iterations => Guide::LastRound,
        Source::Question | Source::Form => Guide::Takes(format!(
            "Opens round {} of {}. The agent is told, and asks again.",
            decision.iteration + 1,
            decision.max_iterations
        )),
        _ => {
            let fitting = fitting_option(decision);
            let option = fitting.and_then(|(field, option)| decision.field(&field)?.option(&option));
            option.map_or(Guide::No, |option| {
                Guide::Takes(format!("Counts as “{}”, with your words.", words::short(&option.label, 80)))
            })
        }
    }
}

/// What is said in the last round.
pub(crate) const LAST_ROUND: &str = "This is the last round; you cannot request more changes.";
