//! What is cleared up after a run that has ended: work trees of Holdpoint's own, where all they hold is kept with the run. A job's
//! goes with a run that was given up; else the job does it.

use std::path::{Path, PathBuf};

use holdpoint_core::run::Verdict;
use holdpoint_core::{Run, json};

use super::worktree;
use super::worktree_lock::WorktreeLock;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::Repo;

/// Returns where a run is worked on that goes on from a checkpoint at once.
pub fn work_dir(home: &crate::Home, run: &str) -> PathBuf {
    home.path().join("work").join(run)
}

impl Engine {
    /// Takes away the work trees that a run which has ended leaves here. What goes wrong harms nothing: they stay.
    pub(super) async fn clear_up_run(&self, run: &Run) {
        let (Some(verdict), Some(home)) = (&run.verdict, self.home.clone()) else { return };
        self.take_away_if_kept(run, work_dir(&home, &run.id.to_string())).await;
        if verdict.verdict == Verdict::Abandon
            && let Some(place) = self.left_by_job(&home, run).await
        {
            let _lock = lock(&place).await;
            // A job that went on meanwhile works there again.
            if self.left_by_job(&home, run).await.is_none() {
                return;
            }
            self.take_away_if_kept(run, place).await;
            self.clear_branch_of_job(run).await;
        }
    }

    /// Takes away a work tree that holds nothing but what is kept with the run.
    async fn take_away_if_kept(&self, run: &Run, place: PathBuf) {
        if !place.join(".git").exists() {
            return;
        }
        match self.is_kept(run, &place).await {
            Ok(true) => {
                let repo = PathBuf::from(&run.repo);
                let _ = tokio::task::spawn_blocking(move || worktree::take_away(&repo, &place)).await;
            }
            Ok(false) => {}
            Err(why) => tracing::info!(run.id = %run.id, "A work tree of run {} stays: {why}", run.id),
        }
    }

    async fn clear_branch_of_job(&self, run: &Run) {
        if let Some(job) = &run.job
            && let Err(why) = self.clear_branch(run, &format!("refs/heads/hold/{job}")).await
        {
            tracing::info!(run.id = %run.id, "The branch of job {job} stays: {why}");
        }
    }

    /// Takes away the worktree and the branch of a job that is gone for good, where all they hold is kept with its last
    /// run or was committed.
    #[cfg(feature = "agents")]
    pub(crate) async fn clear_job(&self, run: &Run, place: &Path) {
        let _lock = lock(place).await;
        if run.verdict.is_none() || !matches!(self.is_kept(run, place).await, Ok(true)) {
            return;
        }
        let (repo, place) = (PathBuf::from(&run.repo), place.to_owned());
        let _ = tokio::task::spawn_blocking(move || worktree::take_away(&repo, &place)).await;
        self.clear_branch_of_job(run).await;
    }

    /// Takes away the branch that a job worked on, once no work tree is on it, where all it holds is kept with the run.
    async fn clear_branch(&self, run: &Run, branch: &str) -> Result<()> {
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let Some(tip) = repo.resolve(branch).await? else { return Ok(()) };
        if repo.checked_out(branch).await?.is_some() {
            return Ok(());
        }
        let kept = match run.patchsets.last() {
            _ if repo.same_tree(&tip, &run.base).await? => true,
            Some(last) => {
                let bytes = super::artifact_in(&repo, run, &last.artifact).await?;
                repo.same_tree(&tip, &repo.tree_of_patch(&last.base, &bytes).await?).await?
            }
            None => false,
        };
        if kept { Ok(repo.drop_ref(branch).await?) } else { Ok(()) }
    }

    /// Returns the worktree of the job that worked on a run, once that job has ended.
    async fn left_by_job(&self, home: &crate::Home, run: &Run) -> Option<PathBuf> {
        let job = self.store.job(run.job.as_ref()?).await.ok()??;
        (!job.status.is_active()).then(|| worktree::dir(home, &job))
    }

    /// Whether a work tree holds nothing but what the run starts from, or what it proposed.
    async fn is_kept(&self, run: &Run, place: &Path) -> Result<bool> {
        let repo = Repo::open(Path::new(&run.repo)).await?;
        if !repo.differs(place, &run.base).await? {
            return Ok(true);
        }
        let held = repo.patch_from_worktree(place, &self.change_start(run).await?).await?;
        let held = json::sha256_hex(&held.bytes);
        Ok(run.patchsets.iter().any(|patchset| patchset.artifact.sha256 == held))
    }
}

/// Waits until nobody else makes or takes away a job's worktree.
async fn lock(place: &Path) -> Option<WorktreeLock> {
    let place = place.to_owned();
    tokio::task::spawn_blocking(move || WorktreeLock::wait(&place)).await.ok()
}
