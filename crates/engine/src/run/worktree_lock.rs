//! Who may make or take away the worktree of a job: one at a time, whichever process it is.
//!
//! A verdict that gives a run up clears up after the job in the process that carries the verdict out, while the server may
//! be making the worktree anew for a job that goes on. Git has no lock around the two.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::home::Home;

/// The right to make or take away a worktree, for as long as it is kept. A killed process keeps nobody waiting.
#[derive(Debug)]
pub(crate) struct WorktreeLock {
    /// None where nothing can be locked: what is wrong there is said by the code that works on it.
    _held: Option<File>,
}

impl WorktreeLock {
    /// Waits for the right to the worktree at a place. Blocks; the lock is on a file beside it.
    pub(crate) fn wait(place: &Path) -> Self {
        Self { _held: open(place).filter(|file| flock(file, FlockOperation::LockExclusive).is_ok()) }
    }
}

/// Deletes the lock of a worktree that nobody makes any more.
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
        // Another worktree waits for nobody.
        drop(WorktreeLock::wait(&folder.path().join("worktrees/job-2")));
        assert!(heard.try_recv().is_err());
        drop(held);
        assert_eq!(heard.recv().unwrap(), "second");
        waiting.join().unwrap();
    }
}
