//! Asks that are the same: one answer settles those that a person was shown as one.

use super::{AnswerInput, Decision, Source, Status};
use crate::refusal::Refusal;
use crate::text::MAX_SAME;

impl Decision {
    /// Returns whether another decision asks the same of the same people, so that an answer to this one can settle it too. A
    /// verdict, a form and what another party requests (who may be paid twice) are always answered by themselves, and so is
    /// one that somebody has begun to fill in.
    pub fn asks_same(&self, other: &Self) -> bool {
        let is_alone = |decision: &Self| {
            matches!(decision.source, Source::Verdict | Source::Form | Source::Request)
                || decision.status != Status::Pending
                // Who has voted differs from one to the other.
                || decision.needs.is_some()
                // Left out because they are long, two of them look the same.
                || decision.truncated.iter().any(|name| matches!(name.as_str(), "default" | "draft"))
        };
        !is_alone(self)
            && !is_alone(other)
            && other.draft.is_empty()
            && self.id != other.id
            && self.project == other.project
            && self.digest == other.digest
            && self.assignees == other.assignees
            && self.default == other.default
            && self.on_timeout == other.on_timeout
    }
}

impl AnswerInput {
    /// Refuses an answer that cannot go to several decisions.
    pub fn check_same(&self) -> Result<(), Refusal> {
        if self.same.len() > MAX_SAME {
            return Err(Refusal::invalid(
                "same",
                format!("at most {MAX_SAME} decisions are answered at once"),
            ));
        }
        if self.guidance.is_some() && !self.same.is_empty() {
            return Err(Refusal::invalid(
                "same",
                "guidance goes to one decision: it opens another round of it",
            ));
        }
        Ok(())
    }
}
