//! How events name the job or crew that they are about.

use serde::{Deserialize, Serialize};

use crate::job::Job;
use crate::{DecisionId, Owner};

/// What every action on an owner carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// The job or crew.
    pub id: String,
    /// Where it belongs.
    pub project: String,
    /// The decision that ordered it; none if nobody had to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_id: Option<DecisionId>,
    /// The agent or session it is for.
    pub agent_id: Option<String>,
    /// The person's words.
    pub message: Option<String>,
}

/// The job or crew that something happened to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Of {
    /// Its id.
    pub id: String,
    /// As it owns decisions.
    pub owner: Owner,
    /// Where it belongs.
    pub project: String,
}

impl Of {
    /// Names a job.
    pub fn new(job: &Job) -> Self {
        Self { id: job.id.clone(), owner: job.owner(), project: job.project.clone() }
    }
}

/// What somebody asked of a job or crew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Requested {
    /// Of which.
    #[serde(flatten)]
    pub of: Of,
    /// Who asked.
    pub by: String,
}

impl Requested {
    /// Names a job, and who asked.
    pub fn new(job: &Job, by: &str) -> Self {
        Self { of: Of::new(job), by: by.to_owned() }
    }
}
