//! Starting a run: a first attempt, one that continues from a checkpoint, or one that reverts a commit.

use std::path::{Path, PathBuf};

use holdpoint_core::run::{Intent, NewRun, ObjectId, PatchSet, Reverts, RunOrigin, Task, Verdict};
use holdpoint_core::{Project, Refusal, Run};
use holdpoint_store::{Order, RunQuery};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::{GitError, Kind, Repo};

/// What a run is to be begun with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StartRun {
    /// Where it belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// What is attempted: a line for lists, or the id of a task that was attempted before.
    pub task: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Why, in somebody's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// A folder of the repository, on the machine of the store.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub repo: PathBuf,
    /// The commit to start from; where the branch stands if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The branch that a commit is put on; one of the task's own if none, or in a bare repository the one it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

impl Engine {
    /// Begins a run.
    pub async fn start_run(&self, caller: &Caller, start: StartRun) -> Result<Run> {
        let project = start.project.unwrap_or_else(|| Project::DEFAULT.to_owned());
        let repo = self.repository(caller, &project, &start.repo).await?;
        let (now, by) = (self.now().await?, caller.actor.by.clone());
        let known: Option<ObjectId> = start.task.parse().ok();
        let before = match known {
            Some(task) => self.attempts(task).await?,
            None => Vec::new(),
        };
        let task = match (known, before.iter().find(|run| caller.may_work_on(run))) {
            (None, _) => {
                let (title, description) = (start.task, start.description);
                Task { id: self.object_id()?, title, description, created_by: by.clone(), created_at: now }
            }
            (Some(_), Some(run)) => {
                same_repository(&repo, run).await?;
                run.task.clone()
            }
            (Some(id), None) => {
                return Err(Refusal::NotFound { what: "task", id: id.to_string() }.into());
            }
        };
        let intent = match (start.intent, before.first()) {
            (Some(prompt), _) => {
                Some(Intent { id: self.object_id()?, prompt, created_by: by, created_at: now })
            }
            (None, Some(run)) => run.intent.clone(),
            (None, None) => None,
        };
        let branch = match (&start.branch, before.first()) {
            (Some(name), _) => repo.branch_name(name).await?,
            (None, Some(run)) => run.branch.clone(),
            (None, None) => own_branch(&repo, task.id).await?,
        };
        let base = base(&repo, start.base.as_deref(), &branch).await?;
        let new = NewRun {
            task,
            intent,
            repo: repo.folder().to_string_lossy().into_owned(),
            base,
            branch,
            origin: None,
            reverts: committed(&before),
            guidance: None,
            parameters: None,
            job: None,
            saved: None,
        };
        self.begin_kept(caller, &project, &repo, (self.object_id()?, new)).await
    }

    /// Opens a repository on which a caller may start something in a project.
    pub(super) async fn repository(&self, caller: &Caller, project: &str, folder: &Path) -> Result<Repo> {
        caller.may_start(project)?;
        caller.may_use_place(folder, &self.settings.runs.repositories, "[runs] repositories")?;
        let repo = Repo::open(folder).await?;
        // A work tree may belong to a repository in any other place.
        caller.may_use_place(repo.common(), &self.settings.runs.repositories, "[runs] repositories")?;
        Ok(repo)
    }

    /// Begins a run that continues from what another saved. The saved state is its first patch set, so that it can be
    /// committed as it is; later patch sets include it.
    pub async fn resume_run(&self, caller: &Caller, saved: &Run) -> Result<Run> {
        let checkpoint = saved.verdict.as_ref().and_then(|verdict| verdict.checkpoint.clone());
        let Some(checkpoint) = checkpoint else {
            let why = format!("run {} saved no checkpoint", saved.id.short());
            return Err(Refusal::invalid("checkpoint", why).into());
        };
        let repo = Repo::open(Path::new(&saved.repo)).await?;
        let base = repo.commit_named(&super::carry::checkpoint_ref(&checkpoint)).await?;
        let origin = Some(RunOrigin::Resume { run: saved.id });
        let reverts = committed(&self.attempts(saved.task.id).await?);
        let id = self.object_id()?;
        let first = match repo.patch_to(&self.change_start(saved).await?, &base).await? {
            Some(patch) => {
                let last = saved.patchsets.last();
                let why = last.and_then(|last| last.rationale.clone());
                let why = why.unwrap_or_else(|| format!("What run {} saved.", saved.id.short()));
                let by = last.map_or_else(|| saved.created_by.clone(), |last| last.created_by.clone());
                let kept = self.kept_patchset(&repo, id, patch, Some(why)).await?;
                Some(PatchSet { created_by: by, ..kept })
            }
            None => None,
        };
        let new = NewRun { base, origin, reverts, saved: first.map(Box::new), ..next_attempt(saved) };
        self.begin_kept(caller, &saved.project, &repo, (id, new)).await
    }

    /// Returns the commit that a run's change starts from: if runs continued from checkpoints, the one that the first
    /// of them started from.
    pub(super) async fn change_start(&self, run: &Run) -> Result<String> {
        /// The longest chain of runs that continue from each other.
        const MOST: usize = 1_000;
        let (mut base, mut origin) = (run.base.clone(), run.origin);
        for _ in 0..MOST {
            let before = match origin {
                Some(RunOrigin::Resume { run } | RunOrigin::Retry { run }) => self.store.run(run).await?,
                Some(RunOrigin::Rollback { .. }) | None => None,
            };
            let Some(before) = before else { break };
            let is_resumed = matches!(origin, Some(RunOrigin::Resume { .. }));
            if !is_resumed && before.base != base {
                break;
            }
            (base, origin) = (before.base, before.origin);
        }
        Ok(base)
    }

    /// Begins a run that retries another, from the same commit.
    #[cfg(feature = "agents")]
    pub(crate) async fn retry_run(
        &self,
        caller: &Caller,
        before: &Run,
        id: ObjectId,
        job: Option<String>,
    ) -> Result<Run> {
        let repo = Repo::open(Path::new(&before.repo)).await?;
        repo.keep(&format!("refs/holdpoint/runs/{id}/base"), &before.base).await?;
        let origin = Some(RunOrigin::Retry { run: before.id });
        let reverts = committed(&self.attempts(before.task.id).await?);
        self.begin_run(caller, &before.project, id, NewRun { origin, reverts, job, ..next_attempt(before) })
            .await
    }

    /// Begins a run that reverts what another committed, and requests its verdict.
    pub async fn rollback_run(&self, caller: &Caller, done: &Run) -> Result<Run> {
        let commit = done.verdict.as_ref().and_then(|verdict| verdict.commit.clone());
        let Some(commit) = commit else {
            return Err(Refusal::invalid("run", format!("run {} committed nothing", done.id.short())).into());
        };
        still_stands(done, &self.attempts(done.task.id).await?)?;
        let repo = Repo::open(Path::new(&done.repo)).await?;
        let base = base(&repo, None, &done.branch).await?;
        let origin = Some(RunOrigin::Rollback { run: done.id });
        let reverts = Some(Reverts { run: done.id, commit });
        let new = NewRun { base, origin, reverts, ..next_attempt(done) };
        let run = self.begin_kept(caller, &done.project, &repo, (self.object_id()?, new)).await?;
        self.finish_run(caller, &run, super::FinishRun::default()).await
    }

    /// Lists all attempts at a task, the newest first.
    pub async fn attempts(&self, task: ObjectId) -> Result<Vec<Run>> {
        /// How many attempts are read.
        const MOST: usize = 1_000;
        let query =
            RunQuery { task: Some(task), order: Order::NewestFirst, limit: MOST, ..RunQuery::default() };
        Ok(self.store.runs(&query).await?)
    }

    /// Begins a run, and keeps its base from being garbage-collected.
    async fn begin_kept(
        &self,
        caller: &Caller,
        project: &str,
        repo: &Repo,
        (id, new): (ObjectId, NewRun),
    ) -> Result<Run> {
        self.sweep_repo(repo).await;
        repo.keep(&format!("refs/holdpoint/runs/{id}/base"), &new.base).await?;
        self.begin_run(caller, project, id, new).await
    }
}

fn next_attempt(run: &Run) -> NewRun {
    NewRun {
        task: run.task.clone(),
        intent: run.intent.clone(),
        repo: run.repo.clone(),
        base: run.base.clone(),
        branch: run.branch.clone(),
        origin: None,
        reverts: None,
        guidance: None,
        parameters: None,
        job: None,
        saved: None,
    }
}

/// Returns the last commit of a task that has not been reverted.
fn committed(attempts: &[Run]) -> Option<Reverts> {
    let last = attempts.iter().find_map(|run| {
        let verdict = run.verdict.as_ref()?;
        matches!(verdict.verdict, Verdict::Commit | Verdict::Rollback).then_some((run, verdict))
    });
    let (run, verdict) = last.filter(|(_, verdict)| verdict.verdict == Verdict::Commit)?;
    Some(Reverts { run: run.id, commit: verdict.commit.clone()? })
}

/// Refuses an attempt at a task in another repository than that of an earlier attempt.
async fn same_repository(repo: &Repo, before: &Run) -> Result<()> {
    if repo.is_same(Path::new(&before.repo))
        || (!Path::new(&before.repo).exists() && knows(repo, before).await)
    {
        return Ok(());
    }
    let why = format!(
        "task {} was attempted in {}, and {} is another repository; begin a task of its own there (--task TITLE)",
        before.task.id.short(),
        before.repo,
        repo.folder().display()
    );
    Err(Refusal::invalid("repo", why).into())
}

/// Returns whether a repository that was moved has the base of an attempt.
async fn knows(repo: &Repo, before: &Run) -> bool {
    repo.resolve(&before.base).await.ok().flatten().is_some()
}

/// Refuses to revert what was reverted already, or what a person is already asked about.
fn still_stands(done: &Run, attempts: &[Run]) -> Result<()> {
    let refused = |why: String| Err(Refusal::RunOver { id: done.id.short(), why }.into());
    if let Some(back) = taken_back(done, attempts, attempts.len()) {
        return refused(format!(
            "has nothing to take back: what it committed was taken back already, by run {}",
            back.id.short()
        ));
    }
    let asked = attempts.iter().find(|run| takes_back(run, done) && run.verdict.is_none());
    match asked.and_then(|run| Some((run.id, run.decision?))) {
        Some((run, decision)) => refused(format!(
            "is asked about already: run {} is to take its commit back; answer {decision}",
            run.short()
        )),
        None => Ok(()),
    }
}

/// Returns the run that reverted what another committed, unless it was reverted itself.
pub(super) fn taken_back<'a>(done: &Run, attempts: &'a [Run], depth: usize) -> Option<&'a Run> {
    let depth = depth.checked_sub(1)?;
    attempts.iter().find(|run| {
        let ended = run.verdict.as_ref().is_some_and(|verdict| verdict.verdict == Verdict::Rollback);
        ended && takes_back(run, done) && taken_back(run, attempts, depth).is_none()
    })
}

fn takes_back(run: &Run, done: &Run) -> bool {
    run.reverts.as_ref().is_some_and(|reverts| reverts.run == done.id)
        && (run.verdict.is_some() || matches!(run.origin, Some(RunOrigin::Rollback { .. })))
}

/// Returns a branch that is not checked out anywhere, so that no work tree changes while it is in use.
pub(crate) async fn own_branch(repo: &Repo, task: ObjectId) -> Result<String> {
    let id = task.to_string();
    let end = id.rsplit('-').next().unwrap_or_default();
    if repo.is_bare()
        && let Some(branch) = repo.head_branch().await?
    {
        return Ok(branch);
    }
    // A branch with the name of our folder may exist; git cannot have both.
    let own = format!("refs/heads/holdpoint/{end}");
    let taken = repo.in_the_way_of(&own).await?.is_some();
    Ok(if taken { format!("refs/heads/holdpoint-{end}") } else { own })
}

async fn base(repo: &Repo, named: Option<&str>, branch: &str) -> Result<String> {
    if let Some(named) = named {
        return Ok(repo.commit_named(named).await?);
    }
    for name in [branch, "HEAD"] {
        if let Some(commit) = repo.resolve(name).await? {
            return Ok(commit);
        }
    }
    let why = format!("{} has no commit yet to start from", repo.folder().display());
    Err(GitError::new(Kind::Unfit, why).into())
}
