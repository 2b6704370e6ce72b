//! Runs on real repositories: started, given patch sets and evidence, decided, and ended by carrying out the verdict.

mod branch;
mod carry;
mod clear;
mod comment;
mod drain;
mod end;
mod evidence;
mod import;
#[cfg(feature = "agents")]
mod job_worktree;
mod lanes;
mod note;
mod objects;
mod read;
mod record;
mod seen;
mod share;
mod start;
pub(crate) mod worktree;
mod worktree_lock;

use std::path::Path;

use holdpoint_core::run::{Artifact, NewRun, ObjectId, PatchSet, RunCommand, Usage};
use holdpoint_core::{Command, Refusal, Run, RunStatus, Timestamp, json};

pub use carry::{CarryOutcome, CarryStep};
pub use clear::work_dir;
pub use comment::NewComment;
pub use end::{FinishRun, Judged};
pub use evidence::{CommandResult, NewEvidence, prove};
pub use import::{ImportRuns, ImportedRuns};
pub use read::{RunList, RunPart};
pub use seen::{RunLog, ShownRun};
pub use share::Shared;
pub use start::StartRun;
#[cfg(feature = "agents")]
pub(crate) use start::own_branch;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::{GitFolder, ObjectQuery, Patch, Repo};

/// Where a patch comes from.
#[derive(Debug)]
pub enum PatchFrom<'a> {
    /// A diff.
    Bytes(Vec<u8>),
    /// The content of a work tree.
    Worktree(&'a Path),
}

impl Engine {
    /// Adds a patch set to a run: checked against its base, and kept in the repository.
    pub async fn patch_run(
        &self,
        caller: &Caller,
        run: &Run,
        from: PatchFrom<'_>,
        rationale: Option<String>,
    ) -> Result<Run> {
        takes_more(run)?;
        let repo = Repo::open(Path::new(&run.repo)).await?;
        // Earlier checkpoints belong to the change, and are shown and committed with it.
        let start = self.change_start(run).await?;
        let patch = match from {
            PatchFrom::Bytes(bytes) => repo.read_patch_since(&start, &run.base, bytes).await?,
            PatchFrom::Worktree(worktree) => {
                repo.check_stands_on(worktree, &run.base).await?;
                repo.patch_from_worktree(worktree, &start).await?
            }
        };
        let patchset = self.kept_patchset(&repo, run.id, patch, rationale).await?;
        self.on_run(caller, run, RunCommand::Patch(Box::new(patchset))).await
    }

    /// Keeps a patch in the repository for a run.
    async fn kept_patchset(
        &self,
        repo: &Repo,
        run: ObjectId,
        patch: Patch,
        rationale: Option<String>,
    ) -> Result<PatchSet> {
        let id = self.object_id()?;
        let artifact = keep(repo, run, &format!("patch-{id}"), &patch.bytes).await?;
        let Patch { base, touched, .. } = patch;
        Ok(PatchSet {
            id,
            sequence: 0,
            base,
            artifact,
            touched,
            rationale,
            created_by: String::new(),
            created_at: Timestamp::from_millis(0),
        })
    }

    /// Adds to the usage of a run.
    pub async fn use_in_run(&self, caller: &Caller, run: &Run, usage: Usage) -> Result<Run> {
        self.on_run(caller, run, RunCommand::Usage(usage)).await
    }

    /// Returns the bytes of an artifact of a run; an error if they differ from what was recorded.
    pub async fn artifact(&self, run: &Run, artifact: &Artifact) -> Result<Vec<u8>> {
        let asked = [ObjectQuery::Bytes(artifact.blob.clone())];
        let found = GitFolder::at(Path::new(&run.repo))
            .cat_file(&asked)
            .await
            .ok()
            .and_then(|mut found| found.pop()?);
        match found {
            Some(found) => as_recorded(run, artifact, found.bytes),
            // Errors are reported by the code that opens the repository.
            None => artifact_in(&Repo::open(Path::new(&run.repo)).await?, run, artifact).await,
        }
    }

    async fn on_run(&self, caller: &Caller, run: &Run, command: RunCommand) -> Result<Run> {
        let (project, id) = (run.project.clone(), run.id);
        self.submit_for(caller, Command::Run { project, id, command: Box::new(command) }, None).await?;
        self.run_there(id).await
    }

    async fn begin_run(&self, caller: &Caller, project: &str, id: ObjectId, new: NewRun) -> Result<Run> {
        let command = Box::new(RunCommand::Start(Box::new(new)));
        self.submit_for(caller, Command::Run { project: project.to_owned(), id, command }, None).await?;
        self.run_there(id).await
    }

    async fn run_there(&self, id: ObjectId) -> Result<Run> {
        let missing = || Error::Refused(Refusal::NotFound { what: "run", id: id.short() });
        self.store.run(id).await?.ok_or_else(missing)
    }

    fn object_id(&self) -> Result<ObjectId> {
        let mut chance = [0; 10];
        getrandom::fill(&mut chance)
            .map_err(|why| Error::Settings(format!("no randomness available: {why}")))?;
        Ok(ObjectId::at(self.clock(), chance))
    }
}

/// Refuses early what would be refused anyway, before anything is stored for it.
fn takes_more(run: &Run) -> Result<()> {
    match run.status {
        RunStatus::Running => Ok(()),
        RunStatus::Finished | RunStatus::Decided => {
            let why = "takes nothing more: it is finished".to_owned();
            Err(Refusal::RunOver { id: run.id.short(), why }.into())
        }
    }
}

/// Refuses evidence while a person is asked about the run; before and after the verdict it is accepted. An imported run
/// stays as it was made.
fn takes_evidence(run: &Run) -> Result<()> {
    match run.status {
        RunStatus::Decided if run.imported => takes_more(run),
        RunStatus::Running | RunStatus::Decided => Ok(()),
        RunStatus::Finished => {
            let why = "is waiting for review; add evidence after that".to_owned();
            Err(Refusal::RunOver { id: run.id.short(), why }.into())
        }
    }
}

/// Reads bytes of a run from its repository; an error if they differ from what was recorded.
async fn artifact_in(repo: &Repo, run: &Run, artifact: &Artifact) -> Result<Vec<u8>> {
    as_recorded(run, artifact, repo.bytes(&artifact.blob).await?)
}

/// Refuses bytes that differ from what was recorded.
fn as_recorded(run: &Run, artifact: &Artifact, bytes: Vec<u8>) -> Result<Vec<u8>> {
    if json::sha256_hex(&bytes) == artifact.sha256 {
        Ok(bytes)
    } else {
        let blob = &artifact.blob;
        Err(Error::Settings(format!("blob {blob} is not what was recorded for run {}", run.id.short())))
    }
}

/// Keeps some bytes in the repository, under a ref of the run.
async fn keep(repo: &Repo, run: ObjectId, name: &str, bytes: &[u8]) -> Result<Artifact> {
    let blob = repo.keep_bytes(&format!("refs/holdpoint/runs/{run}/{name}"), bytes).await?;
    Ok(Artifact { blob, sha256: json::sha256_hex(bytes), size: bytes.len() as u64 })
}
