//! Event bodies about steps of a job.

use serde::{Deserialize, Serialize};

use crate::about::OwnerRef;
use crate::job::{Action, Trigger};
use crate::{DecisionId, Timestamp};

/// A step was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct StepStarted {
    #[serde(flatten)]
    pub of: OwnerRef,
    pub step: String,
    pub visit: u32,
    pub agent_id: String,
    pub node: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_account: bool,
}

/// A step waits for a person's decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct StepWaiting {
    #[serde(flatten)]
    pub of: OwnerRef,
    pub step: String,
    pub visit: u32,
    pub decision_id: DecisionId,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<DecisionId>,
    /// Whether the decision says what was missed so far.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tells: bool,
}

/// Something was not typed to the agent, or may not have been; the person who is asked next has to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct StepMissed {
    #[serde(flatten)]
    pub of: OwnerRef,
    pub step: String,
    pub visit: u32,
    pub what: String,
}

/// The runbook's action on a trigger was taken, or is scheduled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named as in the resource they change")]
pub struct StepAttempted {
    #[serde(flatten)]
    pub of: OwnerRef,
    pub step: String,
    pub visit: u32,
    pub trigger: Trigger,
    pub detail: String,
    pub action: Action,
    pub attempt: u32,
    pub not_before: Option<Timestamp>,
    pub message: Option<String>,
    pub run: Option<String>,
}
