//! What a deleted job left behind, and how to remove it: the same in a terminal and on a page.

use holdpoint_core::text::{inert_line, shell_word};
use holdpoint_engine::jobs::DeletedJob;

/// Something that was kept.
#[derive(Debug)]
pub(crate) struct Leftover {
    /// Why.
    pub(crate) why: &'static str,
    /// The worktree or the branch.
    pub(crate) place: String,
    /// What removing it removes.
    pub(crate) what: &'static str,
    /// The command that does, in the repository.
    pub(crate) remove: String,
}

/// Lists what is left; a worktree together with its branch.
pub(crate) fn leftovers(gone: &DeletedJob) -> Vec<Leftover> {
    let branch_of = |place: &std::path::Path| {
        let own = format!("hold/{}", place.file_name()?.to_str()?);
        gone.branches.iter().find(|branch| **branch == own)
    };
    let worktrees = gone.worktrees.iter().map(|place| {
        let shown = place.display().to_string();
        let mut remove = format!("git worktree remove --force {}", shell_word(&shown));
        let branch = branch_of(place);
        if let Some(branch) = branch {
            remove = format!("{remove} && git branch -D {}", shell_word(branch));
        }
        Leftover {
            why: "Its worktree has uncommitted work, so it was kept",
            place: inert_line(&shown),
            what: if branch.is_some() { "it and its branch" } else { "it" },
            remove: inert_line(&remove),
        }
    });
    let alone = |branch: &&String| !gone.worktrees.iter().any(|place| branch_of(place) == Some(*branch));
    let branches = gone.branches.iter().filter(alone).map(|branch| Leftover {
        why: "Kept: the branch has unmerged commits",
        place: inert_line(branch),
        what: "it",
        remove: inert_line(&format!("git branch -D {}", shell_word(branch))),
    });
    worktrees.chain(branches).collect()
}
