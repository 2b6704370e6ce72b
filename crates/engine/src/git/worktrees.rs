//! Work trees of a repository: which branches they are on, and which of them we left behind.
//!
//! Git keeps a folder for each in the repository. Usually reading that folder shows that there is nothing to do; only
//! otherwise is git run.

use std::path::{Path, PathBuf};

use super::scratch::{self, is_left, is_left_alone, ours};
use super::{GitError, Repo};

/// The branch that HEAD names if branches are not kept in files.
const ELSEWHERE: &str = "ref: refs/heads/.invalid";

impl Repo {
    /// Returns where a branch is checked out, if anywhere. A branch that someone has checked out must not be moved.
    pub async fn checked_out(&self, branch: &str) -> Result<Option<String>, GitError> {
        if self.is_surely_free(branch) {
            return Ok(None);
        }
        let list = self.git(&["worktree", "list", "--porcelain", "-z"]).done().await?;
        let list = String::from_utf8_lossy(&list).into_owned();
        let (mut place, mut bare) = (String::new(), false);
        for line in list.split('\0') {
            if let Some(path) = line.strip_prefix("worktree ") {
                (place, bare) = (path.to_owned(), false);
            } else if line == "bare" {
                bare = true;
            } else if line.strip_prefix("branch ") == Some(branch) && !bare {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Removes what killed processes of ours left in this repository: locks, and complete or partial work trees.
    /// Anything that belongs to others stays, whatever its state.
    pub(crate) async fn sweep(&self) {
        scratch::sweep();
        self.folder.clear_stale_locks();
        self.sweep_trees();
        if !self.may_have_left() {
            return;
        }
        let Ok(listed) = self.git(&["worktree", "list", "--porcelain", "-z"]).done().await else { return };
        let listed = String::from_utf8_lossy(&listed).into_owned();
        for place in listed.split('\0').filter_map(|line| line.strip_prefix("worktree ")) {
            let Some(folder) = ours(Path::new(place)) else { continue };
            if !is_left(folder) {
                continue;
            }
            // A git that outlived its parent may still be writing there. The lock goes last: as long as it exists, the
            // next process sees that this is to be removed.
            if std::fs::remove_dir_all(place).is_err() && Path::new(place).exists() {
                continue;
            }
            // With two `--force`, because a work tree whose creation was interrupted is locked.
            if self.git(&["worktree", "remove", "--force", "--force", place]).done().await.is_ok() {
                let _ = std::fs::remove_dir_all(folder);
            }
        }
    }

    /// Removes git's records of work trees with one of our names. If its creation was interrupted, a record may lack
    /// the line with its place, and git does not list it.
    fn sweep_trees(&self) {
        for kept in self.linked().unwrap_or_default() {
            let Some(name) = kept.file_name().filter(|_| scratch::is_named_so(&kept)) else { continue };
            let said = std::fs::read_to_string(kept.join("gitdir")).unwrap_or_default();
            let place = Path::new(said.trim_end()).parent().and_then(ours).map(Path::to_owned);
            let (folder, left) = match place {
                // The folder is made before the record, and removed after it.
                Some(folder) => (folder.clone(), is_left(&folder)),
                // Another account may keep such folders elsewhere.
                None => match scratch::place_of(name) {
                    folder if folder.exists() => (folder.clone(), is_left(&folder)),
                    folder => (folder, is_left_alone(&kept)),
                },
            };
            if !left {
                continue;
            }
            let tree = folder.join(name);
            if std::fs::remove_dir_all(&tree).is_err() && tree.exists() {
                continue;
            }
            if std::fs::remove_dir_all(&kept).is_ok() {
                let _ = std::fs::remove_dir_all(&folder);
            }
        }
    }

    /// Returns whether every work tree is on something else.
    fn is_surely_free(&self, branch: &str) -> bool {
        let Some(mut folders) = self.linked() else { return false };
        if !self.bare {
            folders.push(self.common.clone());
        }
        folders.iter().all(|folder| {
            let head = folder.join("HEAD");
            // HEAD was once a symbolic link, which reads like a commit.
            let plain = std::fs::symlink_metadata(&head).is_ok_and(|found| found.is_file());
            let head = std::fs::read_to_string(head).unwrap_or_default();
            let head = head.trim_end();
            plain && !head.is_empty() && head != ELSEWHERE && head.strip_prefix("ref: ") != Some(branch)
        })
    }

    /// Returns whether one of them may be ours, with a name from earlier versions.
    fn may_have_left(&self) -> bool {
        let Some(folders) = self.linked() else { return true };
        let mut named = folders.iter().filter(|folder| !scratch::is_named_so(folder));
        named.any(|folder| match std::fs::read_to_string(folder.join("gitdir")) {
            Ok(file) => Path::new(file.trim_end()).parent().is_none_or(|place| ours(place).is_some()),
            Err(_) => false,
        })
    }

    /// Lists git's folders for all work trees but the first; none if they cannot be read.
    fn linked(&self) -> Option<Vec<PathBuf>> {
        match std::fs::read_dir(self.common.join("worktrees")) {
            Ok(entries) => {
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().ok()
            }
            Err(why) => (why.kind() == std::io::ErrorKind::NotFound).then(Vec::new),
        }
    }
}
