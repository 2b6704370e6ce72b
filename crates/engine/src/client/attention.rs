//! Taking a decision, and snoozing it.

use holdpoint_core::decision::Attention;
use holdpoint_core::{Command, Decision, DecisionId, Timestamp};
use serde::{Deserialize, Serialize};

use super::embedded::{Embedded, decision_of};
use crate::error::Result;

/// Who takes a decision.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TakeBody {
    /// Who is on it; used only if no credential identifies the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Who snoozes a decision, and until when.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SnoozeBody {
    /// The latest time at which it comes back.
    pub until: Timestamp,
    /// Who snoozes it; used only if no credential identifies the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl Embedded {
    /// Takes a decision or snoozes it, under a name that counts only if no credential says who the caller is.
    pub async fn attend_as(
        &self,
        id: DecisionId,
        attention: Attention,
        by: Option<String>,
    ) -> Result<Decision> {
        let command = Command::Attend { id, attention };
        decision_of(self.engine().submit_for(&self.called(by)?, command, None).await?)
    }
}
