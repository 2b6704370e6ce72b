//! Jobs.

use holdpoint_core::Job;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

#[cfg(feature = "openapi")]
use super::Nullable;
use super::{Bytes, Items, NoParams, endpoints};
use crate::jobs::{DeletedJob, StartJob};
use crate::run::ShownRun;
use crate::sessions::Screen;

endpoints! {
    "jobs" {
        /// Lists jobs and crews, newest first.
        LIST_JOBS = listJobs Known Get "/v1/jobs"
            (ListParams, ()) => 200 Items<ShownJob>, "Jobs";
        /// Starts a job, or an agent without one. A runbook is a program: only an admin, or someone on the server's machine,
        /// may.
        START_JOB = startJob Starters Post "/v1/jobs"
            (NoParams, StartJob) => 201 ShownJob, "The job";
        /// Returns a job.
        GET_JOB = getJob Known Get "/v1/jobs/{id}"
            (NoParams, ()) => 200 ShownJob, "The job";
        /// Resumes a job: its agent is told to continue, or its step starts over.
        RESUME_JOB = resumeJob Known Post "/v1/jobs/{id}/resume"
            (NoParams, Resume) => 200 ShownJob, "The job";
        /// Ends a job.
        CANCEL_JOB = cancelJob Known Post "/v1/jobs/{id}/cancel"
            (NoParams, Cancel) => 200 ShownJob, "The job";
        /// Suspends a job; it can be resumed later.
        SUSPEND_JOB = suspendJob Known Post "/v1/jobs/{id}/suspend"
            (NoParams, ()) => 200 ShownJob, "The job";
        /// Forgets a job that has ended, and all its decisions.
        DELETE_JOB = deleteJob Known Delete "/v1/jobs/{id}"
            (NoParams, ()) => 200 DeletedJob, "It was deleted; the response names worktrees that were kept because they have uncommitted work";
        /// Returns the run that a job is now, or was last; null if it is none, or has not begun.
        JOB_RUN = jobRun Known Get "/v1/jobs/{id}/run"
            (NoParams, ()) => 200 Option<ShownRun> as Nullable<ShownRun>, "The run";
        /// Returns what the terminal of a job's step shows, or showed last.
        JOB_SCREEN = jobScreen Known Get "/v1/jobs/{id}/screen"
            (NoParams, ()) => 200 Screen as Value, "The screen";
        /// Returns the last output of a job's step, as raw terminal bytes.
        JOB_LOG = jobLog Known Get "/v1/jobs/{id}/log"
            (TailParams, ()) => 200 Bytes, "The raw bytes of the terminal";
    }
}

/// Which jobs are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those of this project.
    pub project: Option<String>,
    /// Only those with this status: names with commas, `active`, `open` (those and the suspended ones), or `all`.
    pub status: Option<String>,
    /// At most how many, up to 1000.
    pub limit: Option<usize>,
}

/// Which end of a log is read.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct TailParams {
    /// At most how many bytes, from the end.
    pub bytes: Option<u64>,
    /// Of which visit in the job's `history`; the last if not given.
    pub visit: Option<u32>,
}

/// The body of a request to resume a job.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Resume {
    /// Message to the agent.
    pub message: Option<String>,
    /// Whether its step starts over.
    pub restart: bool,
}

/// What is sent to end a job.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = JobCancel))]
#[serde(deny_unknown_fields, default)]
pub struct Cancel {
    /// Why.
    pub message: Option<String>,
}

/// A job as it is sent: without the runbook it was made from.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Job, value_type = Object))]
#[serde(transparent)]
pub struct ShownJob(pub Job);

impl Serialize for ShownJob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        shown(&self.0).serialize(serializer)
    }
}

/// Returns a job as it is sent.
pub fn shown(job: &Job) -> Value {
    let mut value = serde_json::to_value(job).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        map.remove("runbook");
    }
    value
}
