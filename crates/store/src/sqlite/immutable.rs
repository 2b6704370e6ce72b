//! Stores that cannot change at present: there is no write-ahead log, and none can be created, because the disk is full
//! or read-only.
//!
//! SQLite then reads the file as immutable and takes no locks. A writer may still appear, from another account or once
//! there is room, so the reader checks afterwards that the file has not changed.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use rustix::fs::{Access, access};

use super::file::Identity;

/// The state of a file that is complete without a log. Writers change it only by checkpointing their log, for which
/// they must first have created and synced one, so two changes cannot happen within one tick of the file system's
/// clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Immutable {
    file: Identity,
    length: u64,
    modified: (i64, i64),
}

impl Immutable {
    /// Returns the state of a file, if no part of its content is in a log.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let found = Self::now(path)?;
        let is_empty = |ending| length(path, ending).is_none_or(|length| length == 0);
        (is_empty("-wal") && is_empty("-journal")).then_some(found)
    }

    /// Returns whether SQLite is bound to fail at a file, because it needs to create files and cannot.
    pub(super) fn must_be(path: &Path) -> bool {
        let folder = path.parent().unwrap_or(Path::new("/"));
        access(folder, Access::WRITE_OK).is_err()
            && match length(path, "-wal") {
                None => true,
                Some(length_of_log) => length_of_log == 0 && length(path, "-shm").is_none(),
            }
    }

    /// Returns whether a read of the file saw a single state.
    pub(super) fn is_unchanged(&self, path: &Path) -> bool {
        Self::now(path).as_ref() == Some(self)
    }

    /// Returns whether the file can still be read as immutable: nothing was committed since.
    pub(super) fn is_current(&self, path: &Path) -> bool {
        Self::of(path).as_ref() == Some(self)
    }

    fn now(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok().filter(|file| file.is_file() && file.len() > 0)?;
        let modified = (file.mtime(), file.mtime_nsec());
        Some(Self { file: Identity::new(&file), length: file.len(), modified })
    }
}

/// Opens a file as immutable.
pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => name.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => name.push(char::from(*byte)),
            byte => {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(name, flags)
}

fn length(path: &Path, ending: &str) -> Option<u64> {
    // For a link, beside its target.
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(ending);
    fs::metadata(PathBuf::from(name)).map(|file| file.len()).ok()
}
