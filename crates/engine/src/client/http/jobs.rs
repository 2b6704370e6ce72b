//! Jobs, as requests.

use async_trait::async_trait;
use holdpoint_core::Job;
use holdpoint_store::JobQuery;

use super::{Http, TIMEOUT};
use crate::api::jobs::{
    CANCEL_JOB, Cancel, DELETE_JOB, GET_JOB, JOB_LOG, JOB_RUN, JOB_SCREEN, LIST_JOBS, ListParams, RESUME_JOB,
    Resume, START_JOB, SUSPEND_JOB, ShownJob, TailParams,
};
use crate::client::Jobs;
use crate::error::Result;
use crate::jobs::{DeletedJob, StartJob, Steer};
use crate::run::ShownRun;
use crate::sessions::Screen;

#[async_trait]
impl Jobs for Http {
    async fn start_job(&self, start: StartJob) -> Result<Job> {
        // A second job that the caller does not know of would be worse than none.
        Ok(self.send_once(&START_JOB, &[], &start).await?.0)
    }

    async fn job(&self, id: &str) -> Result<Job> {
        Ok(self.call(&GET_JOB, &[id.trim()]).await?.0)
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>> {
        let names: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
        let query = ListParams {
            project: query.project.clone(),
            status: (!names.is_empty()).then(|| names.join(",")),
            limit: Some(query.limit.min(1000)),
        };
        let jobs = self.query(&LIST_JOBS, &[], &query).await?.items;
        Ok(jobs.into_iter().map(|ShownJob(job)| job).collect())
    }

    async fn steer_job(&self, id: &str, steer: Steer) -> Result<Job> {
        let id = id.trim();
        let ShownJob(job) = match steer {
            Steer::Resume { message, restart } => {
                self.send(&RESUME_JOB, &[id], &Resume { message, restart }).await?
            }
            Steer::Cancel { message } => self.send(&CANCEL_JOB, &[id], &Cancel { message }).await?,
            Steer::Suspend => self.call(&SUSPEND_JOB, &[id]).await?,
        };
        Ok(job)
    }

    async fn delete_job(&self, id: &str) -> Result<DeletedJob> {
        self.call(&DELETE_JOB, &[id.trim()]).await
    }

    async fn job_run(&self, id: &str) -> Result<Option<ShownRun>> {
        self.call(&JOB_RUN, &[id.trim()]).await
    }

    async fn job_screen(&self, id: &str) -> Result<Screen> {
        self.call(&JOB_SCREEN, &[id.trim()]).await
    }

    async fn is_supervised(&self) -> Result<bool> {
        Ok(true)
    }

    async fn job_log(&self, id: &str, visit: Option<u32>, bytes: u64) -> Result<Vec<u8>> {
        let query = TailParams { bytes: Some(bytes), visit };
        let make = || self.request(&JOB_LOG, &[id.trim()]).query(&query);
        self.read_bytes(self.persist(make, TIMEOUT).await?).await
    }
}
