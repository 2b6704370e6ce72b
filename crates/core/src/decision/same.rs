//! Identical questions: one answer settles those that a person was shown as one.

use super::{AnswerInput, Decision, Source, Status};
use crate::refusal::Refusal;
use crate::text::MAX_SAME;

impl Decision {
    /// Returns whether another decision asks the same of the same people, so that an answer to this one can settle it
    /// too. Verdicts, forms and requests of other parties (who may be paid twice) are always answered separately, and
    /// so is a decision that somebody has begun to fill in.
    pub fn asks_same(&self, other: &Self) -> bool {
        let is_alone = |decision: &Self| {
            matches!(decision.source, Source::Verdict | Source::Form | Source::Request)
                || decision.status != Status::Pending
                // The votes so far may differ between them.
                || decision.needs.is_some()
                // If these are left out because they are long, two different decisions would look the same.
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
                "give guidance to one decision at a time: it opens another round",
            ));
        }
        Ok(())
    }
}
