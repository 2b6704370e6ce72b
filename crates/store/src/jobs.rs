//! The part of the port that is about jobs: reading them, and which nodes supervise them.
//!
//! Jobs change by commands. That a node is there does not: it says so itself, again and again.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Job, JobStatus, Span, Timestamp};

use crate::error::Result;

/// What a store knows of jobs and nodes.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Returns the row of a job or crew by its full id, with its stream.
    async fn job_row(&self, id: &str) -> Result<Option<(String, StoredJob)>>;

    /// Returns a job or crew by its full id, as its row has it: to be shown. What is run is in [`crate::proven_job`].
    async fn job(&self, id: &str) -> Result<Option<Job>> {
        Ok(self.job_row(id).await?.map(|(_, row)| Arc::unwrap_or_clone(row.job)))
    }

    /// Lists the ids that start with a text, at most `limit`, by id.
    async fn find_jobs(&self, prefix: &str, limit: usize) -> Result<Vec<String>>;

    /// Lists jobs and crews, newest first.
    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>>;

    /// Says that a node is there, for some time from now. Nodes that are long gone are forgotten.
    async fn beat(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> Result<()>;

    /// Lists nodes, by id, with whether each is believed to be there.
    async fn nodes(&self, now: Timestamp) -> Result<Vec<Node>>;
}

/// Which jobs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobQuery {
    /// In which project; all if none.
    pub project: Option<String>,
    /// In which projects besides, as the credential allows; all if empty.
    pub projects: Vec<String>,
    /// Where they stand; anywhere if empty.
    pub statuses: Vec<JobStatus>,
    /// At most how many.
    pub limit: usize,
}

/// A node that supervises jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Whether it is believed to be there.
    pub alive: bool,
}

/// A job and how many events it has had.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredJob {
    /// The job.
    pub job: Arc<Job>,
    /// The version of the last event that changed it.
    pub version: i64,
}

/// Reads a job from its row. One that is damaged must not keep the others from being seen.
pub(crate) fn readable(doc: &str) -> Option<Job> {
    serde_json::from_str(doc).inspect_err(|why| tracing::error!("The row of a job is damaged: {why}")).ok()
}
