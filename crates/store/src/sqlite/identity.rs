//! Which file a path leads to.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Which file a path leads to; it changes when a backup is put in place of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    pub(super) fn of(path: &Path) -> Option<Self> {
        // An empty file is not a store, whichever it was.
        let file = std::fs::metadata(path).ok().filter(|file| file.len() > 0)?;
        Some(Self::new(&file))
    }

    /// Returns the same for a file that may be empty.
    pub(super) fn of_any(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|file| Self::new(&file))
    }

    pub(super) fn new(file: &std::fs::Metadata) -> Self {
        Self(file.dev(), file.ino())
    }
}
