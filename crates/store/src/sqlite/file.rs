//! The one file that a process has open as its store, for as long as it has it open.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::presence::gone;
use crate::Result;

/// Which file a path leads to; it changes when another is put in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    pub(super) fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|file| Self::new(&file))
    }

    pub(super) fn new(file: &std::fs::Metadata) -> Self {
        Self(file.dev(), file.ino())
    }
}

/// Where the store is, which file that was when it was opened, and how far it had come.
///
/// Another file in its place is never opened by the same process: SQLite would use the write-ahead log of the first for it,
/// and cut short the index of that log, which the connections to the first have mapped; their next look at it would end
/// the process.
#[derive(Debug)]
pub(super) struct StoreFile {
    path: PathBuf,
    opened: Option<Identity>,
    /// How long it was at most: a store never shrinks.
    length: AtomicU64,
    /// Whether it was shorter at some time. Moving the log back makes it longer again, and no better.
    overwritten: AtomicBool,
}

impl StoreFile {
    /// Notes which file lies at a path. It may be empty still.
    pub(super) fn at(path: &Path) -> Self {
        let opened = Identity::of(path);
        Self { path: path.to_owned(), opened, length: AtomicU64::new(0), overwritten: AtomicBool::new(false) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses another file than the one that was opened, and one that was overwritten by a shorter one.
    pub(super) fn check(&self) -> Result<()> {
        // Before the look: the file may grow between the look of one thread and that of another.
        let longest = self.length.load(Ordering::Acquire);
        match std::fs::metadata(&self.path) {
            Ok(file) if Some(Identity::new(&file)) != self.opened => {
                Err(gone(&self.path, "was replaced by another file"))
            }
            Ok(file) => {
                self.length.fetch_max(file.len(), Ordering::Release);
                if file.len() < longest {
                    self.overwritten.store(true, Ordering::Relaxed);
                }
                match (self.overwritten.load(Ordering::Relaxed), file.len()) {
                    (false, _) => Ok(()),
                    (true, 0) => Err(gone(&self.path, "was emptied")),
                    (true, _) => Err(gone(&self.path, "was overwritten")),
                }
            }
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Err(gone(&self.path, "was removed")),
            Err(why) => Err(super::connection::cannot(&why, "read", &self.path)),
        }
    }

    /// Returns whether the file that was opened lies where it lay, whatever was done to it.
    pub(super) fn is_in_place(&self) -> bool {
        Identity::of(&self.path) == self.opened
    }
}
