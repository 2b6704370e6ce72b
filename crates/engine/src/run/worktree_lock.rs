//! The lock for making or removing the worktree of a job: one process at a time.
//!
//! When a verdict gives a run up, the process that carries it out cleans up after the job, while the server may be
//! making the worktree again for a resumed job. Git has no lock that covers both.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::home::Home;

/// The right to make or remove a worktree, as long as the value is kept. It ends with its process, even if that is
/// killed.
#[derive(Debug)]
pub(crate) struct WorktreeLock {
    /// None if nothing can be locked: errors are reported by the code that works on it.
    _held: Option<File>,
}

impl WorktreeLock {
    /// Waits for the right to the worktree at a path. Blocks; the lock is on a file beside it.
    pub(crate) fn wait(place: &Path) -> Self {
        Self { _held: open(place).filter(|file| flock(file, FlockOperation::LockExclusive).is_ok()) }
    }
}

/// Deletes the lock of a worktree that is no longer made.
#[cfg(feature = "agents")]
pub(super) fn forget(place: &Path) {
    if let Some(path) = path(place) {
        let _ = std::fs::remove_file(path);
    }
}

fn open(place: &Path) -> Option<File> {
    Home::make_private(place.parent()?).ok()?;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).open(path(place)?).ok()
}

fn path(place: &Path) -> Option<PathBuf> {
    let name = place.file_name()?.to_str()?;
    Some(place.with_file_name(format!(".{name}.lock")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("worktrees/job-1");
        let held = WorktreeLock::wait(&place);
        let (told, heard) = std::sync::mpsc::channel();
        let waiting = {
            let place = place.clone();
            std::thread::spawn(move || {
                let _held = WorktreeLock::wait(&place);
                told.send("second").unwrap();
            })
        };
        // Another worktree has a separate lock.
        drop(WorktreeLock::wait(&folder.path().join("worktrees/job-2")));
        assert!(heard.try_recv().is_err());
        drop(held);
        assert_eq!(heard.recv().unwrap(), "second");
        waiting.join().unwrap();
    }
}
