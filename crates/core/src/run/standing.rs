//! The standing of a run as readers see it: from its own events, and the outcome of the decision about it.
//!
//! It is computed whenever it is read, from the run and its decision, and is never stored.

use serde::{Deserialize, Serialize};

use super::{Run, RunStatus, Verdict, conclude};
use crate::{Decision, DecisionId, Status};

/// The standing of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunStanding))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Standing {
    /// Work on it is in progress.
    Running,
    /// It is finished, and waits for a person's verdict.
    Waiting {
        /// The decision that asks for the verdict.
        decision: DecisionId,
        /// Why it was asked again, if it was: the previous verdict could not be carried out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<String>,
    },
    /// Its verdict was given, and is being carried out.
    Carrying {
        /// The decision that gave the verdict.
        decision: DecisionId,
        /// The verdict.
        verdict: Verdict,
        /// Who gave it.
        by: String,
        /// Why the last attempt to carry it out failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<String>,
        /// Who is carrying it out at this moment, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_work: Option<String>,
    },
    /// The decision about it was cancelled; it can be asked again.
    Withdrawn {
        /// The decision.
        decision: DecisionId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The decision about it had no outcome: nobody answered in time, or it was removed. It can be asked again.
    Unanswered {
        /// The decision; none once it is removed, as it is with a deleted job.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionId>,
    },
    /// A patch set was committed.
    Committed,
    /// Its progress was saved.
    Checkpointed,
    /// Another run retries it.
    Retried,
    /// The task was given up.
    Abandoned,
    /// Its commit was rolled back.
    RolledBack,
}

impl Standing {
    /// Computes the standing of a run, given the decision about it as far as it is known.
    pub fn of(run: &Run, decision: Option<&Decision>) -> Self {
        if let Some(verdict) = &run.verdict {
            return match verdict.verdict {
                Verdict::Commit => Self::Committed,
                Verdict::Checkpoint => Self::Checkpointed,
                Verdict::Retry => Self::Retried,
                Verdict::Abandon => Self::Abandoned,
                Verdict::Rollback => Self::RolledBack,
            };
        }
        let (RunStatus::Finished | RunStatus::Decided, Some(id)) = (run.status, run.decision) else {
            return Self::Running;
        };
        let Some(decision) = decision.filter(|decision| decision.id == id) else {
            return Self::Unanswered { decision: None };
        };
        let given = decision.answer.as_ref().and_then(|answer| Some((conclude::verdict_of(answer)?, answer)));
        match (given, decision.status) {
            (Some((verdict, answer)), _) => {
                Self::Carrying { decision: id, verdict, by: answer.by.clone(), trouble: None, at_work: None }
            }
            (None, Status::Pending) => Self::Waiting { decision: id, trouble: run.trouble.clone() },
            (None, Status::Cancelled) => Self::Withdrawn { decision: id, reason: decision.reason.clone() },
            (None, Status::Answered | Status::Refined | Status::TimedOut | Status::Superseded) => {
                Self::Unanswered { decision: Some(id) }
            }
        }
    }

    /// Returns the name used in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting { .. } => "waiting",
            Self::Carrying { .. } => "carrying",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Unanswered { .. } => "unanswered",
            Self::Committed => "committed",
            Self::Checkpointed => "checkpointed",
            Self::Retried => "retried",
            Self::Abandoned => "abandoned",
            Self::RolledBack => "rolled_back",
        }
    }

    /// Returns whether nothing more happens to it by itself: it has ended, or no question about it is open.
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::Running | Self::Waiting { .. } | Self::Carrying { .. })
    }
}
