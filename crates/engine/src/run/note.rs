//! Notes in a repository of what a verdict is about to do, removed when nothing depends on them any more.

use std::path::Path;

use holdpoint_core::{DecisionId, Run};

use super::carry::VerdictTask;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::{GitError, GitFolder, Repo};

/// The place of the notes.
const NOTES: &str = "refs/holdpoint/verdicts/";

/// Returns the ref that a verdict is noted under.
pub(super) fn note_ref(decision: DecisionId) -> String {
    format!("{NOTES}{decision}")
}

/// Returns whether a branch contains the commit of a note.
async fn is_on(repo: &Repo, branch: &str, note: &str) -> Result<bool> {
    match (repo.resolve(branch).await?, repo.resolve(note).await?) {
        (Some(head), Some(noted)) => Ok(repo.contains(&head, &noted).await?),
        _ => Ok(false),
    }
}

impl Engine {
    /// Removes a note once the verdict is recorded, or was requested again.
    pub(super) async fn forget_note(&self, run: &Run, id: DecisionId) -> std::result::Result<(), GitError> {
        let (folder, note) = (GitFolder::at(Path::new(&run.repo)), note_ref(id));
        folder.clear_stale_locks();
        if folder.has_kept(&note).await { folder.drop_ref(&note).await } else { Ok(()) }
    }

    /// Cleans up in a repository after processes that were killed there, or could not do it themselves.
    pub(super) async fn sweep_repo(&self, repo: &Repo) {
        repo.sweep().await;
        let folder = GitFolder::at(repo.folder());
        for name in folder.kept_under(NOTES).await {
            // Notes that are unknown to this store may belong to another.
            let Some(Ok(id)) = name.strip_prefix(NOTES).map(str::parse::<DecisionId>) else { continue };
            let Ok(Some(decision)) = self.store.decision(id).await else { continue };
            let Ok(Some(run)) = self.run_of(&decision).await else { continue };
            // If the verdict was requested again, the note has been handled already, or could not be checked.
            if run.verdict.is_some() {
                let _ = self.forget_note(&run, id).await;
            }
        }
    }

    /// Removes the note of a verdict that could not be carried out, unless it was after all: a process that was killed
    /// then did not report it, and the repository cannot always be read.
    pub(super) async fn forget_failed(&self, run: &Run, id: DecisionId) {
        let Ok(repo) = Repo::open(Path::new(&run.repo)).await else { return };
        if let Ok(false) = is_on(&repo, &run.branch, &note_ref(id)).await {
            let _ = self.forget_note(run, id).await;
        }
    }

    /// Returns the commit that the same answer to an earlier question about a run led to, if its record was lost.
    pub(super) async fn done_before(&self, given: &VerdictTask<'_>, repo: &Repo) -> Result<Option<String>> {
        // There is an earlier question only if the verdict was requested again.
        if given.run.trouble.is_none() {
            return Ok(None);
        }
        for name in GitFolder::at(repo.folder()).kept_under(NOTES).await {
            let Some(Ok(id)) = name.strip_prefix(NOTES).map(str::parse::<DecisionId>) else { continue };
            let Some(decision) = self.store.decision(id).await? else { continue };
            let same = decision.answer.as_ref().is_some_and(|answer| answer.values == given.answer.values);
            let ours = self.run_of(&decision).await?.is_some_and(|run| run.id == given.run.id);
            if id != given.id && same && ours && is_on(repo, &given.run.branch, &name).await? {
                return Ok(repo.resolve(&name).await?);
            }
        }
        Ok(None)
    }
}
