//! Stores that do not change: there is no write-ahead log, and none can be made, because the disk is full or may only be read.
//!
//! SQLite then reads the file as one that does not change and takes no locks. A writer may still come, from another account or
//! once there is room, so the reader checks afterwards that the file is what it was.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use rustix::fs::{Access, access};

use super::file::Identity;

/// A file that everything is in, as it was before it was read. Writers change it only when they move their log back, and for
/// that they must first have made and synced one: two changes within one tick of the file system's clock cannot happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Immutable {
    file: Identity,
    length: u64,
    modified: (i64, i64),
}

impl Immutable {
    /// Returns how a file is now, if nothing of it stands in a log.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let found = Self::now(path)?;
        let is_empty = |ending| length(path, ending).is_none_or(|length| length == 0);
        (is_empty("-wal") && is_empty("-journal")).then_some(found)
    }

    /// Returns whether SQLite is bound to fail at a file: it would make the files it needs, and may not.
    pub(super) fn must_be(path: &Path) -> bool {
        let folder = path.parent().unwrap_or(Path::new("/"));
        access(folder, Access::WRITE_OK).is_err()
            && match length(path, "-wal") {
                None => true,
                Some(length_of_log) => length_of_log == 0 && length(path, "-shm").is_none(),
            }
    }

    /// Returns whether a read of a file saw one state of it.
    pub(super) fn is_unchanged(&self, path: &Path) -> bool {
        Self::now(path).as_ref() == Some(self)
    }

    /// Returns whether a file can be read as it was before: nothing was committed since.
    pub(super) fn is_current(&self, path: &Path) -> bool {
        Self::of(path).as_ref() == Some(self)
    }

    fn now(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok().filter(|file| file.is_file() && file.len() > 0)?;
        let modified = (file.mtime(), file.mtime_nsec());
        Some(Self { file: Identity::new(&file), length: file.len(), modified })
    }
}

/// Opens a file as one that does not change.
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
    // Beside the file that a link leads to.
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(ending);
    fs::metadata(PathBuf::from(name)).map(|file| file.len()).ok()
}
