//! Bodies that a server sends which are not resources themselves.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, DecisionId, Refusal, Status};
use serde::{Deserialize, Serialize};

use super::{Answered, AnsweredSame};
use crate::error::Result;
use crate::problem::Problem;

/// The outcome of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnswerBody {
    /// The current decision; after guidance, `next` is the next round.
    #[serde(flatten)]
    pub decision: Decision,
    /// The outcomes for the others that were named as the same question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<AnsweredSame>,
}

/// Several answers, each to a different decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AnswerItems {
    /// At most a hundred.
    pub items: Vec<AnswerItem>,
}

/// One of several answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AnswerItem {
    /// The decision, by its whole id.
    pub id: DecisionId,
    /// What is answered, as to that decision alone.
    pub answer: AnswerInput,
}

/// The outcomes of several answers, in their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnsweredItems {
    /// One for each answer.
    pub items: Vec<AnsweredItem>,
}

/// The outcome of one of several answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnsweredItem {
    /// The decision.
    pub id: DecisionId,
    /// How it stands now; absent if it was not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Why it was not answered; absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedItem>,
}

/// Why one of several answers was not taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RefusedItem {
    /// What programs match on.
    pub code: String,
    /// What is wrong.
    pub detail: String,
}

impl AnswerItems {
    /// The most decisions that are answered at once.
    pub const MOST: usize = 100;

    /// Refuses more answers than can be given at once.
    pub fn check(&self) -> std::result::Result<(), Refusal> {
        match self.items.len() {
            0 => Err(Refusal::invalid("items", "has no answer")),
            1..=Self::MOST => Ok(()),
            more => {
                let why = format!("has {more} answers; send at most {} at once", Self::MOST);
                Err(Refusal::invalid("items", why))
            }
        }
    }
}

impl AnsweredItem {
    /// Returns the result of an answer.
    pub fn of(id: DecisionId, outcome: Result<Answered>) -> Self {
        match outcome {
            Ok(answered) => Self { id, status: Some(answered.decision.status), refused: None },
            Err(error) => {
                let Problem { code, detail, .. } = error.into();
                Self { id, status: None, refused: Some(RefusedItem { code, detail }) }
            }
        }
    }
}
