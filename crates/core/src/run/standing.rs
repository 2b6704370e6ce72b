//! Where a run stands for the reader: what its own events say, and the outcome of the question about it.
//!
//! A projection. It is worked out whenever it is read, from the run and its decision, and written nowhere.

use serde::{Deserialize, Serialize};

use super::{Run, RunStatus, Verdict, conclude};
use crate::{Decision, DecisionId, Status};

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunStanding))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Standing {
    /// It is worked on.
    Running,
    /// It is finished, and a person is to give the verdict.
    Waiting {
        /// Where.
        decision: DecisionId,
        /// Why it was asked again, if it was: the verdict before could not be carried out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<String>,
    },
    /// Its verdict was given, and is being carried out.
    Carrying {
        /// Where it was given.
        decision: DecisionId,
        /// What it says.
        verdict: Verdict,
        /// Who gave it.
        by: String,
        /// What stood in the way the last time it was tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<String>,
        /// Who carries it out at this moment, as far as that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_work: Option<String>,
    },
    /// The question about it was taken back; it can be asked again.
    Withdrawn {
        /// Which question.
        decision: DecisionId,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The question about it had no outcome: nobody answered in time, or it is gone. It can be asked again.
    Unanswered {
        /// Which question; none once it is gone, as it is with a job that was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionId>,
    },
    /// A patch set was committed.
    Committed,
    /// Its progress was saved.
    Checkpointed,
    /// Another run tries again.
    Retried,
    /// The task was given up.
    Abandoned,
    /// What had been committed was taken back.
    RolledBack,
}

impl Standing {
    /// Works out where a run stands, given the decision about it as far as it is known.
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
        let given = decision.answer.as_ref().and_then(|answer| Some((conclude::said(answer)?, answer)));
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

    /// Returns whether nothing more becomes of it by itself: it has ended, or nobody is asked any more.
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::Running | Self::Waiting { .. } | Self::Carrying { .. })
    }
}
