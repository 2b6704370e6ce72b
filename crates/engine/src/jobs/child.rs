//! A job that is a step of another.

use std::collections::BTreeMap;

use holdpoint_core::job::{JobCommand, NewJob, Order, Report, Run};
use holdpoint_core::{Actor, Command, Job, JobKind, JobStatus, Owner, OwnerKind};

use super::drive::Driver;
use super::launch;
use crate::error::Result;
use crate::run::worktree;

impl Driver {
    /// Starts the job that a step is, and reports its end. Returns whether it has ended.
    pub(super) async fn child(&self, job: &Job, name: &str, vars: &BTreeMap<String, String>) -> Result<bool> {
        let id = child_id(job);
        let known = launch::known(&self.home, job, job.agent_id.as_deref().unwrap_or_default());
        let Some(child) = self.job(&id).await? else {
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
            // Where it has ended already there is nothing to end.
            let _ = self.ask(&job.project, &child_id(job), command).await;
        }
        Ok(())
    }

    async fn ask(&self, project: &str, id: &str, command: JobCommand) -> Result<()> {
        let owner = Owner::new(OwnerKind::Job, id);
        let command = Command::Job { project: project.to_owned(), owner, command: Box::new(command) };
        self.engine.submit(Actor::supervisor(), command).await.map(drop)
    }
}

/// Returns the id of the job that a visit of a step starts; the same however often it is asked.
fn child_id(job: &Job) -> String {
    Job::child_id(&job.id, job.visit)
}
