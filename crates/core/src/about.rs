//! How events name the job or crew that they are about.

use serde::{Deserialize, Serialize};

use crate::job::Job;
use crate::{DecisionId, Owner};

/// The fields that every action on an owner carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnerAction {
    /// The job or crew.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// The decision that ordered it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_id: Option<DecisionId>,
    /// The agent or session it is for.
    pub agent_id: Option<String>,
    /// The person's message.
    pub message: Option<String>,
}

/// The job or crew that something happened to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnerRef {
    /// Its id.
    pub id: String,
    /// The job or crew as an owner of decisions.
    pub owner: Owner,
    /// The project it belongs to.
    pub project: String,
}

impl OwnerRef {
    /// Identifies a job.
    pub fn new(job: &Job) -> Self {
        Self { id: job.id.clone(), owner: job.owner(), project: job.project.clone() }
    }
}

/// A request about a job or crew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Requested {
    /// The job or crew.
    #[serde(flatten)]
    pub of: OwnerRef,
    /// Who made the request.
    pub by: String,
}

impl Requested {
    /// Records a request about a job.
    pub fn new(job: &Job, by: &str) -> Self {
        Self { of: OwnerRef::new(job), by: by.to_owned() }
    }
}
