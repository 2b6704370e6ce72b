//! Notes in a repository of what a verdict is about to do: taken away once nothing depends on them any more.

use std::path::Path;

use holdpoint_core::{DecisionId, Run};

use crate::engine::Engine;
use crate::git::{Folder, Repo};

/// Where they stand.
const NOTES: &str = "refs/holdpoint/verdicts/";

/// Returns the ref that a verdict is noted under.
pub(super) fn note_ref(decision: DecisionId) -> String {
    format!("{NOTES}{decision}")
}

impl Engine {
    /// Takes a note away once the record says the same, or says otherwise. Returns whether it is gone.
    pub(super) async fn forget_note(&self, run: &Run, id: DecisionId) -> bool {
        let (folder, note) = (Folder::at(Path::new(&run.repo)), note_ref(id));
        folder.clear_left();
        !folder.has_kept(&note) || folder.drop_ref(&note).await.is_ok()
    }

    /// Clears up in a repository after those who were killed there, or could not do it themselves.
    pub(super) async fn sweep_repo(&self, repo: &Repo) {
        repo.sweep().await;
        let folder = Folder::at(repo.folder());
        for name in folder.kept_under(NOTES) {
            // Of those that this store does not know, another may.
            let Some(Ok(id)) = name.strip_prefix(NOTES).map(str::parse::<DecisionId>) else { continue };
            let Ok(Some(decision)) = self.store.decision(id).await else { continue };
            let Ok(Some(run)) = self.run_of(&decision).await else { continue };
            if run.verdict.is_some() || run.decision != Some(id) {
                self.forget_note(&run, id).await;
            }
        }
    }
}
