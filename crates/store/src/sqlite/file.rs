//! The file that a process has open as its store.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::fault::{cannot, file_missing};
use crate::Result;

/// The identity of a file, which changes when another file is put in its place.
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

/// Returns the path of a file that SQLite keeps beside another; for a link, beside its target.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(ending);
    name.into()
}

/// The path of the store, with the identity and the greatest length of its file since it was opened.
///
/// A process never opens another file in its place: SQLite would use the write-ahead log of the first file for it, and
/// truncate the index of that log. Connections to the first file have that index mapped, and would crash the process at
/// their next access.
#[derive(Debug)]
pub(super) struct StoreFile {
    path: PathBuf,
    opened: Option<Identity>,
    /// The greatest length so far: a store never shrinks.
    length: AtomicU64,
    /// Whether it was ever shorter. A checkpoint of the log makes it longer again, but does not repair it.
    overwritten: AtomicBool,
}

impl StoreFile {
    /// Records which file is at a path. It may still be empty.
    pub(super) fn at(path: &Path) -> Self {
        let opened = Identity::of(path);
        Self { path: path.to_owned(), opened, length: AtomicU64::new(0), overwritten: AtomicBool::new(false) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file other than the one that was opened, and one that was overwritten by a shorter one.
    pub(super) fn check(&self) -> Result<()> {
        // Loaded before checking, because the file may grow between the checks of two threads.
        let longest = self.length.load(Ordering::Acquire);
        match std::fs::metadata(&self.path) {
            Ok(file) if Some(Identity::new(&file)) != self.opened => {
                Err(file_missing(&self.path, "was replaced by another file"))
            }
            Ok(file) => {
                if file.len() > longest && !self.may_roll_back() {
                    self.length.fetch_max(file.len(), Ordering::Release);
                }
                if file.len() < longest {
                    self.overwritten.store(true, Ordering::Relaxed);
                }
                match (self.overwritten.load(Ordering::Relaxed), file.len()) {
                    (false, _) => Ok(()),
                    (true, 0) => Err(file_missing(&self.path, "was emptied")),
                    (true, _) => Err(file_missing(&self.path, "was overwritten")),
                }
            }
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                Err(file_missing(&self.path, "was removed"))
            }
            Err(why) => Err(cannot(&why, "read", &self.path)),
        }
    }

    /// Returns whether the next reader may shorten the file, because the process that created the store was killed
    /// before its first transaction was complete. The journal exists as long as that may happen.
    fn may_roll_back(&self) -> bool {
        beside(&self.path, "-journal").exists()
    }

    /// Returns whether the file that was opened is still at its path, whatever its content.
    pub(super) fn is_in_place(&self) -> bool {
        Identity::of(&self.path) == self.opened
    }
}
