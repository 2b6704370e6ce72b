//! Takes turns in a repository: verdicts are carried out there one at a time, whichever process does it.
//!
//! The process that has the turn holds a lock on a file in the folder `.holdpoint`, which contains its name. The lock
//! ends with its holder, so a killed process keeps no other waiting; no git and no hook that it starts inherits the
//! lock.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use super::ledger::{PLACE, make_place};
use super::{GitError, GitFolder, Kind};

/// The file that is locked.
const FILE: &str = "carrying";
/// How often to check whether it is free.
const PAUSE: Duration = Duration::from_millis(20);
/// How much of it is read: a decision and a process.
const MOST: usize = 200;

/// The right to carry out a verdict in a repository, as long as the value is kept.
#[derive(Debug)]
pub(crate) struct RepositoryTurn {
    _held: Option<File>,
}

/// The process that has the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LockHolder {
    /// The decision that is being carried out.
    pub(crate) decision: String,
    /// The process that does it.
    pub(crate) by: String,
}

impl GitFolder {
    /// Waits for the turn, but not for long. If there is nothing to lock, there is nothing to wait for: what is wrong
    /// with the repository is reported by the code that works on it.
    pub(crate) async fn turn(&self, decision: &str, timeout: Duration) -> Result<RepositoryTurn, GitError> {
        let Some(file) = self.open_turn() else { return Ok(RepositoryTurn { _held: None }) };
        let until = Instant::now() + timeout;
        while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            if Instant::now() >= until {
                let holder = read(&file);
                let why = if holder.decision == decision {
                    format!("it is being carried out by {}", holder.by)
                } else {
                    let (decision, by) = (holder.decision, holder.by);
                    format!("the verdict {decision} is being carried out in the same repository by {by}")
                };
                return Err(GitError::new(Kind::Taken, why));
            }
            tokio::time::sleep(PAUSE).await;
        }
        let words = format!("{decision} process {}\n", std::process::id());
        // The lock counts even without a name in the file.
        let _ = file.set_len(0).and_then(|()| file.write_all_at(words.as_bytes(), 0));
        Ok(RepositoryTurn { _held: Some(file) })
    }

    /// Returns the process that carries out a verdict now, if there is one and it is alive.
    pub(crate) fn holder(&self) -> Option<LockHolder> {
        let file = File::open(self.common().ok()?.join(PLACE).join(FILE)).ok()?;
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Err(rustix::io::Errno::WOULDBLOCK) => Some(read(&file)),
            _ => None,
        }
    }

    fn open_turn(&self) -> Option<File> {
        let common = self.common().ok()?;
        let place = common.join(PLACE);
        make_place(&common, &place).ok()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o644);
        // A process that may only read the file, such as a member of a group, can still wait for it.
        options.open(place.join(FILE)).or_else(|_| File::open(place.join(FILE))).ok()
    }
}

fn read(file: &File) -> LockHolder {
    let mut bytes = vec![0; MOST];
    let count = file.read_at(&mut bytes, 0).unwrap_or(0);
    let words = holdpoint_core::text::inert_line(String::from_utf8_lossy(&bytes[..count]).trim());
    match words.split_once(' ') {
        Some((decision, by)) => LockHolder { decision: decision.to_owned(), by: by.to_owned() },
        None => LockHolder { decision: String::new(), by: "somebody else".to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_has_it_at_a_time_and_is_named() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("objects")).unwrap();
        let folder = GitFolder::at(place.path());
        assert_eq!(folder.holder(), None);
        let turn = folder.turn("dcn-1", Duration::ZERO).await.unwrap();
        let own = format!("process {}", std::process::id());
        assert_eq!(folder.holder(), Some(LockHolder { decision: "dcn-1".into(), by: own.clone() }));
        let fault = folder.turn("dcn-1", Duration::from_millis(30)).await.unwrap_err();
        assert_eq!((fault.kind, fault.why), (Kind::Taken, format!("it is being carried out by {own}")));
        let fault = folder.turn("dcn-2", Duration::ZERO).await.unwrap_err();
        assert!(fault.why.starts_with("the verdict dcn-1 is being carried out"), "{fault}");
        drop(turn);
        assert_eq!(folder.holder(), None);
        folder.turn("dcn-2", Duration::ZERO).await.unwrap();
    }
}
