//! Jobs, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_core::Job;
use holdpoint_store::JobQuery;

use super::Embedded;
use crate::error::Result;
use crate::jobs::{DeletedJob, StartJob, Steer};
use crate::run::ShownRun;
use crate::sessions::Screen;

/// The operations on jobs.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Starts a job, or an agent without one.
    async fn start_job(&self, start: StartJob) -> Result<Job>;

    /// Returns the job that an id, a unique start of one, or a name means.
    async fn job(&self, id: &str) -> Result<Job>;

    /// Lists jobs, newest first.
    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>>;

    /// Steers a job; returns its new state.
    async fn steer_job(&self, id: &str, steer: Steer) -> Result<Job>;

    /// Forgets a job that has ended, and all its decisions.
    async fn delete_job(&self, id: &str) -> Result<DeletedJob>;

    /// Returns the run that a job is now, or was last, if it is one and has begun.
    async fn job_run(&self, id: &str) -> Result<Option<ShownRun>>;

    /// Returns what the terminal of a job's step shows, or showed last.
    async fn job_screen(&self, id: &str) -> Result<Screen>;

    /// Returns the end of what a job's step wrote to its terminal, unaltered: of the given visit, or of the last.
    async fn job_log(&self, id: &str, visit: Option<u32>, bytes: u64) -> Result<Vec<u8>>;

    /// Returns whether a server supervises the jobs of this store.
    async fn is_supervised(&self) -> Result<bool>;
}

#[async_trait]
impl Jobs for Embedded {
    async fn start_job(&self, start: StartJob) -> Result<Job> {
        self.engine().start_job(self.caller(), start).await
    }

    async fn job(&self, id: &str) -> Result<Job> {
        self.engine().find_job(self.caller(), id).await
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>> {
        self.engine().list_jobs(self.caller(), query).await
    }

    async fn steer_job(&self, id: &str, steer: Steer) -> Result<Job> {
        self.engine().steer_job(self.caller(), id, steer).await
    }

    async fn delete_job(&self, id: &str) -> Result<DeletedJob> {
        self.engine().delete_job(self.caller(), id).await
    }

    async fn job_run(&self, id: &str) -> Result<Option<ShownRun>> {
        self.engine().job_run(self.caller(), id).await
    }

    async fn job_screen(&self, id: &str) -> Result<Screen> {
        self.engine().job_screen(self.caller(), id).await
    }

    async fn job_log(&self, id: &str, visit: Option<u32>, bytes: u64) -> Result<Vec<u8>> {
        self.engine().job_log(self.caller(), id, visit, bytes).await
    }

    async fn is_supervised(&self) -> Result<bool> {
        let now = self.engine().now().await?;
        Ok(self.engine().store().nodes(now).await?.iter().any(|node| node.alive))
    }
}
