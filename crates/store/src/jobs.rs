//! The part of the port about jobs: reading them, and which nodes supervise them.
//!
//! Jobs change by commands. Nodes report that they are alive without commands, at intervals.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Job, JobStatus, Span, Timestamp};

use crate::error::Result;

/// What a store knows about jobs and nodes.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Returns the row of a job or crew by its full id, with its stream.
    async fn job_row(&self, id: &str) -> Result<Option<(String, StoredJob)>>;

    /// Returns a job or crew by its full id, as in its row: for display. To run its commands, use
    /// [`crate::proven_job`].
    async fn job(&self, id: &str) -> Result<Option<Job>> {
        Ok(self.job_row(id).await?.map(|(_, row)| Arc::unwrap_or_clone(row.job)))
    }

    /// Lists the ids that start with a text, at most `limit`, by id.
    async fn find_jobs(&self, prefix: &str, limit: usize) -> Result<Vec<String>>;

    /// Lists jobs and crews, newest first.
    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>>;

    /// Records that a node is alive, for some time from now. Nodes that have been gone for long are removed.
    async fn renew_lease(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> Result<()>;

    /// Lists nodes, by id, with whether each is considered alive.
    async fn nodes(&self, now: Timestamp) -> Result<Vec<Node>>;
}

/// Selects the jobs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobQuery {
    /// The project; all if none.
    pub project: Option<String>,
    /// The projects that the credential allows; all if empty.
    pub projects: Vec<String>,
    /// The statuses; any if empty.
    pub statuses: Vec<JobStatus>,
    /// The maximum number.
    pub limit: usize,
}

/// A node that supervises jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its id.
    pub id: String,
    /// The name shown to people.
    pub name: String,
    /// Whether it is considered alive.
    pub alive: bool,
}

/// A job and the number of its events.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredJob {
    /// The job.
    pub job: Arc<Job>,
    /// The version of the last event that changed it.
    pub version: i64,
}

/// Reads a job from its row. A damaged row is logged, and must not keep the others from being listed.
pub(crate) fn readable(doc: &str) -> Option<Job> {
    serde_json::from_str(doc).inspect_err(|why| tracing::error!("The row of a job is damaged: {why}")).ok()
}
