//! Deletes a job: its decisions, its sessions, and its worktree if nothing would be lost with it.

use std::path::PathBuf;

use holdpoint_core::{Actor, Command, Job, JobCommand, Owner, OwnerKind};
use serde::{Deserialize, Serialize};

use super::session_dir;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::run::worktree::{self, JobLeftovers};

/// The outcome of deleting a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedJob {
    /// The job.
    pub deleted: String,
    /// Its worktrees that stay, as they hold what is committed nowhere.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub worktrees: Vec<PathBuf>,
    /// Its branches that stay: those of these worktrees, and those that have commits that are on no other.
    #[serde(default)]
    pub branches: Vec<String>,
}

impl Engine {
    /// Forgets a job that has ended, the jobs that were steps of it, and all their decisions, a question about its run among
    /// them; the run stays. A worktree goes with it if everything in it is committed.
    pub async fn delete_job(&self, caller: &Caller, typed: &str) -> Result<DeletedJob> {
        /// How many steps of a job may have been jobs.
        const MOST: usize = 10_000;
        let shown = self.find_job(caller, typed).await?;
        let mut jobs = Vec::new();
        if !shown.status.is_active() {
            for id in self.store.find_jobs(&format!("{}.", shown.id), MOST).await? {
                jobs.extend(self.store.job(&id).await?);
            }
        }
        // The shown job lacks its definition, which says where it worked.
        jobs.push(self.store.job(&shown.id).await?.unwrap_or(shown.clone()));
        let (mut worktrees, mut branches) = (Vec::new(), Vec::new());
        for job in jobs {
            let kind = if job.id == shown.id { job.kind.owner() } else { OwnerKind::Job };
            let owner = Owner::new(kind, &job.id);
            let command = Box::new(JobCommand::Delete);
            self.submit_for(caller, Command::Job { project: job.project.clone(), owner, command }, None)
                .await?;
            if let Some(run) = super::attempt::last_run(self, &job).await? {
                let (project, owner) = (run.project.clone(), run.owner());
                let actor = Actor { by: caller.actor.by.clone(), ..Actor::system() };
                self.submit(actor, Command::EndOwner { project, owner, deleted: false }).await?;
            }
            let left = self.clear_up(job).await;
            worktrees.extend(left.worktree);
            branches.extend(left.branch);
        }
        Ok(DeletedJob { deleted: shown.id, worktrees, branches })
    }

    /// Removes what a job left on this machine; returns what is kept.
    async fn clear_up(&self, job: Job) -> JobLeftovers {
        let Some(home) = self.home.clone() else { return JobLeftovers::default() };
        if let Ok(Some(run)) = super::attempt::last_run(self, &job).await {
            self.clear_job(&run, &worktree::dir(&home, &job)).await;
        }
        let cleared = tokio::task::spawn_blocking(move || {
            for visit in &job.history {
                let _ = std::fs::remove_dir_all(session_dir(&home, &visit.agent_id));
            }
            worktree::clear(&home, &job)
        });
        cleared.await.unwrap_or_default()
    }
}
