//! Whose turn it is in a repository: verdicts are carried out one at a time there, whichever process does it.
//!
//! The process that has the turn holds a lock on a file in the folder `.holdpoint` that contains its name. The lock
//! goes with its holder, so that a killed process keeps nobody waiting; no git and no hook that was started inherits
//! it.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use super::ledger::{PLACE, make_place};
use super::{Folder, GitError, Kind};

/// The file that is held.
const FILE: &str = "carrying";
/// How often to look whether it is free.
const PAUSE: Duration = Duration::from_millis(20);
/// How much of it is read: a decision and a process.
const MOST: usize = 200;

/// The right to carry a verdict out in a repository, for as long as it is kept.
#[derive(Debug)]
pub(crate) struct Turn {
    _held: Option<File>,
}

/// Who has the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LockHolder {
    /// The decision that is carried out.
    pub(crate) decision: String,
    /// By whom.
    pub(crate) by: String,
}

impl Folder {
    /// Waits for the turn, but not for long. Where there is nothing to lock, nobody has to wait: what is wrong there is said
    /// by the code that works on it.
    pub(crate) async fn turn(&self, decision: &str, timeout: Duration) -> Result<Turn, GitError> {
        let Some(file) = self.open_turn() else { return Ok(Turn { _held: None }) };
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
        // Without a name in it, it is held all the same.
        let _ = file.set_len(0).and_then(|()| file.write_all_at(words.as_bytes(), 0));
        Ok(Turn { _held: Some(file) })
    }

    /// Returns who carries a verdict out now, if somebody does who lives.
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
        // A process that may only read it, as a member of a group, can still wait for it.
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
        let folder = Folder::at(place.path());
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
