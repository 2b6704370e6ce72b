//! A job that is a step of another.

use std::collections::BTreeMap;

use holdpoint_core::job::{JobCommand, NewJob, Order, Report, Run};
use holdpoint_core::{Actor, Command, Job, JobKind, JobStatus, Owner, OwnerKind};

use super::drive::Driver;
use super::launch;
use crate::error::Result;
use crate::run::worktree;

impl Driver {
    /// Starts the job that is a step, and reports its end. Returns whether it has ended.
    pub(super) async fn child(&self, job: &Job, name: &str, vars: &BTreeMap<String, String>) -> Result<bool> {
        let (id, child) = self.started_by(job).await?;
        let known = launch::known(&self.home, job, job.agent_id.as_deref().unwrap_or_default());
        let Some(child) = child else {
            let value = |(name, text): (&String, &String)| {
                let text =
                    holdpoint_core::job::interpolate::plain(text, &known).unwrap_or_else(|_| text.clone());
                (name.clone(), text)
            };
            let new = NewJob {
                kind: JobKind::Job,
                definition: name.to_owned(),
                name: Some(format!("{}: {name}", job.name)),
                runbook: job.runbook.clone(),
                vars: vars.iter().map(value).collect(),
                cwd: worktree::dir(&self.home, job).display().to_string(),
                item: job.item.clone(),
                parent: Some((job.id.clone(), job.visit)),
            };
            let started = self.ask(&job.project, &id, JobCommand::Start(Box::new(new))).await;
            if let Err(why) = started {
                self.report(job, Report::Broken { why: why.to_string() }).await?;
            }
            return Ok(true);
        };
        match child.status {
            JobStatus::Done => {
                self.report(job, Report::Ended { ok: true, detail: format!("job {id} is done") }).await?;
            }
            JobStatus::Failed | JobStatus::Cancelled => {
                let detail = format!("job {id} is {}", child.status.name());
                self.report(job, Report::Ended { ok: false, detail }).await?;
            }
            JobStatus::Suspended if ended_before(&child, job) => {
                self.ask(&job.project, &id, JobCommand::Resume { message: None, restart: false }).await?;
            }
            JobStatus::Pending | JobStatus::Running | JobStatus::Waiting | JobStatus::Suspended => {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) async fn end_child(&self, job: &Job, order: &Order) -> Result<()> {
        if matches!(job.run(), Some(Run::Job { .. })) {
            let command = match order {
                Order::Suspend => JobCommand::Suspend,
                _ => JobCommand::Cancel { message: None },
            };
            let (id, _) = self.started_by(job).await?;
            // If it has already ended, there is nothing to end.
            let _ = self.ask(&job.project, &id, command).await;
        }
        Ok(())
    }

    /// Returns the job of a step: its own, or one that was suspended together with the parent and resumes with it;
    /// otherwise the id that it will have.
    async fn started_by(&self, job: &Job) -> Result<(String, Option<Job>)> {
        let own = Job::child_id(&job.id, job.visit);
        for id in job.child_ids(job.visit) {
            let Some(child) = self.job(&id).await? else { continue };
            let is_over = matches!(child.status, JobStatus::Failed | JobStatus::Cancelled);
            // A job that was ended meanwhile is started again.
            let is_meant = id == own || !is_over || !ended_before(&child, job);
            return Ok(if is_meant { (id, Some(child)) } else { (own, None) });
        }
        Ok((own, None))
    }

    async fn ask(&self, project: &str, id: &str, command: JobCommand) -> Result<()> {
        let owner = Owner::new(OwnerKind::Job, id);
        let command = Command::Job { project: project.to_owned(), owner, command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }
}

/// Returns whether a job stopped before its step began.
fn ended_before(child: &Job, job: &Job) -> bool {
    let begun = job.history.last().map(|visit| visit.started_at);
    child.history.last().and_then(|visit| visit.ended_at) <= begun
}
