//! Cleanup after a run that has ended: work trees made by Holdpoint are removed if their whole content is kept with the
//! run. The work tree of a job is removed with a run that was given up; otherwise the job removes it.

use std::path::{Path, PathBuf};

use holdpoint_core::run::{self, PatchSet, Verdict};
use holdpoint_core::{Run, json};

use super::worktree;
use super::worktree_lock::WorktreeLock;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::Repo;

/// Returns the folder for a run that continues from a checkpoint at once.
pub fn work_dir(home: &crate::Home, run: &str) -> PathBuf {
    home.path().join("work").join(run)
}

impl Engine {
    /// Removes the work trees that an ended run leaves here. Errors do no harm: the work trees stay.
    pub(super) async fn clear_up_run(&self, run: &Run) {
        let (Some(verdict), Some(home)) = (&run.verdict, self.home.clone()) else { return };
        self.take_away_if_kept(run, work_dir(&home, &run.id.to_string())).await;
        if verdict.verdict == Verdict::Abandon
            && let Some(place) = self.left_by_job(&home, run).await
        {
            let _lock = lock(&place).await;
            // A resumed job works there again.
            if self.left_by_job(&home, run).await.is_none() {
                return;
            }
            self.take_away_if_kept(run, place).await;
            self.clear_branch_of_job(run).await;
        }
    }

    /// Removes a work tree whose whole content is kept with the run.
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

    /// Removes the worktree and the branch of a job that is gone for good, if their whole content is kept with its last
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

    /// Removes the branch of a job, once no work tree is on it, if its whole content is kept with the run.
    async fn clear_branch(&self, run: &Run, branch: &str) -> Result<()> {
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let Some(tip) = repo.resolve(branch).await? else { return Ok(()) };
        if repo.checked_out(branch).await?.is_some() {
            return Ok(());
        }
        let kept = match settled_sets(run).last() {
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

    /// Returns whether a work tree contains nothing but the base of the run, or what it proposed.
    async fn is_kept(&self, run: &Run, place: &Path) -> Result<bool> {
        let repo = Repo::open(Path::new(&run.repo)).await?;
        if !repo.differs(place, &run.base).await? {
            return Ok(true);
        }
        let held = repo.patch_from_worktree(place, &self.change_start(run).await?).await?;
        let held = json::sha256_hex(&held.bytes);
        Ok(settled_sets(run).any(|patchset| patchset.artifact.sha256 == held))
    }
}

/// Returns the patch sets of a run that are final. If an older one was committed, a newer one was neither committed nor
/// given up.
fn settled_sets(run: &Run) -> impl Iterator<Item = &PatchSet> {
    let committed = run::committed(run).map(|patchset| patchset.id);
    run.patchsets.iter().filter(move |patchset| committed.is_none_or(|id| patchset.id == id))
}

/// Waits until no other process makes or removes a job's worktree.
async fn lock(place: &Path) -> Option<WorktreeLock> {
    let place = place.to_owned();
    tokio::task::spawn_blocking(move || WorktreeLock::wait(&place)).await.ok()
}
