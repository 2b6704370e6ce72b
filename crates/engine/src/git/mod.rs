//! Work on git repositories, through git's command line.
//!
//! Nothing here touches the work tree or the index of a user: trees are made in a temporary index, commits that hooks
//! must see in a temporary work tree, and only refs are moved, each from the value that was seen.

mod apply;
mod cat_file;
mod command;
mod commit;
mod conflict;
mod hooks;
mod identity;
mod interrupt;
mod ledger;
mod mover;
mod names;
mod objects;
mod orphan;
mod patch;
mod refs;
mod scratch;
mod stale_locks;
mod turn;
mod worktrees;

use std::path::{Path, PathBuf};

use command::GitCommand;
pub(crate) use command::SETTINGS;

pub(crate) use apply::ScratchIndex;
pub(crate) use cat_file::{NamedObject, ObjectQuery};
pub use command::call_timeout;
pub use commit::{Hooks, Message, NewCommit, Signature};
pub(crate) use identity::{Identities, Identity};
pub use interrupt::handle_interrupts;
pub(crate) use mover::RefMover;
pub use objects::Entry;
pub use patch::Patch;
pub use refs::MoveOutcome;
pub(crate) use turn::{LockHolder, RepositoryTurn};

/// A repository, bare or with a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repo {
    /// Where git is run: the top of the work tree, or the repository itself if it is bare.
    folder: GitFolder,
    bare: bool,
    /// The folder that all its work trees share.
    common: PathBuf,
    /// Where its hooks are.
    hooks: PathBuf,
}

/// The folder where git is run; known to have been a repository, but not examined further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GitFolder(PathBuf);

/// Why an operation on a repository failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct GitError {
    /// The kind of error.
    pub kind: Kind,
    /// A description.
    pub why: String,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The input is not valid.
    Unfit,
    /// It conflicts with what has happened since.
    Conflict,
    /// Another process is working there; it may succeed later.
    Busy,
    /// Another verdict is being carried out there; it may succeed after that.
    Taken,
    /// The repository, git or a hook failed.
    Broken,
}

impl GitError {
    pub(crate) fn new(kind: Kind, why: String) -> Self {
        Self { kind, why }
    }

    fn unfit(why: impl Into<String>) -> Self {
        Self::new(Kind::Unfit, why.into())
    }
}

impl Repo {
    /// Finds the repository that a folder belongs to.
    pub async fn open(folder: &Path) -> Result<Self, GitError> {
        if !folder.is_dir() {
            return Err(GitError::unfit(format!("{} is not a folder", folder.display())));
        }
        let wanted = [
            "rev-parse",
            "--path-format=absolute",
            "--is-bare-repository",
            "--git-common-dir",
            "--git-path",
            "hooks",
            "--absolute-git-dir",
            "--show-toplevel",
        ];
        let asked = GitCommand::new(folder, &wanted).run().await?;
        let text = String::from_utf8_lossy(&asked.out).into_owned();
        let lines: Vec<&str> = text.trim_end_matches('\n').splitn(5, '\n').collect();
        let (bare, common, hooks, place) = match lines.as_slice() {
            // Without a work tree git prints only these lines.
            ["true", common, hooks, dir] => (true, common, hooks, dir),
            ["false", common, hooks, _, top] if asked.code == Some(0) => (false, common, hooks, top),
            _ => {
                let why = format!("{} is in no git repository: {}", folder.display(), asked.err);
                return Err(GitError::unfit(why));
            }
        };
        let [common, hooks] = [common, hooks].map(|path| PathBuf::from(*path));
        Ok(Self { folder: GitFolder(PathBuf::from(*place)), bare, common, hooks })
    }

    /// Returns the folder that all its work trees share.
    pub(crate) fn common(&self) -> &Path {
        &self.common
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder.0
    }

    /// Returns where it keeps its objects.
    #[cfg(feature = "agents")]
    pub(crate) fn objects(&self) -> PathBuf {
        self.common.join("objects")
    }

    /// Returns whether it has no work tree.
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// Returns whether a folder that belonged to a repository belongs to this one.
    pub(crate) fn is_same(&self, folder: &Path) -> bool {
        let common = GitFolder::at(folder).common().ok();
        common.is_some() && common == self.folder.common().ok()
    }

    fn git(&self, arguments: &[&str]) -> GitCommand {
        self.folder.git(arguments)
    }
}

impl GitFolder {
    /// Uses a folder as a repository that was opened before.
    pub(crate) fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    fn git(&self, arguments: &[&str]) -> GitCommand {
        GitCommand::new(&self.0, arguments)
    }

    /// Returns the folder that all work trees of the repository share, without running git.
    fn common(&self) -> Result<PathBuf, GitError> {
        let git = self.0.join(".git");
        let kept = if git.is_dir() {
            git
        } else if git.is_file() {
            let line = std::fs::read_to_string(&git).unwrap_or_default();
            self.0.join(line.trim_end().strip_prefix("gitdir: ").unwrap_or_default())
        } else {
            self.0.clone()
        };
        let common = match std::fs::read_to_string(kept.join("commondir")) {
            Ok(common) => kept.join(common.trim_end()),
            Err(_) => kept,
        };
        match std::fs::canonicalize(common) {
            Ok(common) if common.join("objects").is_dir() => Ok(common),
            _ => Err(GitError::unfit(format!("{} is in no git repository", self.0.display()))),
        }
    }
}
