//! Checks whether the store that was opened is still there, and whether it can be written.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::Numbering;
use rusqlite::{Connection, OptionalExtension as _};
use rustix::fs::{Access, access, statvfs};
use rustix::process::{Flock, FlockType, fcntl_getlk};

use super::connection;
use super::fault::{cannot, file_missing};
use super::file::{Identity, StoreFile, beside};
use crate::{Error, Result};

/// A disk with less room than this counts as full: the next commit may need as much.
const ROOM: u64 = 1 << 20;
/// How much is written to test whether a full disk has room again.
const PROBE: usize = 64 << 10;

/// The byte range of SQLite's shared locks, which is part of its file format.
const SHARED_LOCK: u64 = 0x4000_0002;
const SHARED_LENGTH: u64 = 510;

/// The header of every SQLite database file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Returns the path of a file's write-ahead log.
pub(super) fn log_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// Refuses a file that was removed, and one that is not the store that was opened.
pub(super) fn check(file: &StoreFile, opened: Numbering) -> Result<()> {
    check_start(file)?;
    let path = file.path();
    let key = |connection: &Connection| {
        let key = connection
            .query_row("SELECT value FROM meta WHERE name = 'key'", [], |row| row.get::<_, i64>(0))
            .optional();
        match key {
            // A file without this table is empty, or belongs to another program.
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::Unknown) => {
                Err(file_missing(path, "was replaced by an empty file"))
            }
            key => Ok(key?),
        }
    };
    match connection::reader(file, key)? {
        (_, Some(key)) if Numbering::new(key.cast_unsigned()) == opened => Ok(()),
        _ => Err(file_missing(path, "was replaced by another store")),
    }
}

/// Refuses a file that was removed or replaced, or emptied or overwritten in place. SQLite itself would continue with
/// what it has in memory and in its write-ahead log.
pub(super) fn check_start(file: &StoreFile) -> Result<()> {
    file.check()?;
    let path = file.path();
    let mut start = [0; 16];
    match held(path).and_then(|held| held.read_exact_at(&mut start, 0)) {
        Ok(()) if start == *MAGIC => Ok(()),
        Ok(()) => Err(file_missing(path, "was overwritten")),
        Err(why) if why.kind() == ErrorKind::NotFound => Err(file_missing(path, "was removed")),
        Err(why) if why.kind() == ErrorKind::UnexpectedEof => Err(file_missing(path, "was emptied")),
        Err(why) => Err(cannot(&why, "read", path)),
    }
}

/// Files of stores, kept open as long as they exist. Closing a descriptor of a file drops every lock that the process
/// has on it, SQLite's included; another program that closes the store would then remove the write-ahead log while it
/// is in use.
static HELD: Mutex<Vec<Arc<File>>> = Mutex::new(Vec::new());

fn held(path: &Path) -> std::io::Result<Arc<File>> {
    let there = std::fs::metadata(path)?;
    let is_it = |file: &Arc<File>| {
        file.metadata().is_ok_and(|file| (file.dev(), file.ino()) == (there.dev(), there.ino()))
    };
    let mut all = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = all.iter().find(|file| is_it(file)) {
        return Ok(Arc::clone(file));
    }
    // Locks on a deleted file no longer matter.
    all.retain(|file| file.metadata().is_ok_and(|file| file.nlink() > 0));
    let file = Arc::new(File::open(path)?);
    all.push(Arc::clone(&file));
    Ok(file)
}

/// Returns whether no other process has the store open: each SQLite connection holds a lock as long as it is open.
pub(super) fn is_alone(path: &Path) -> bool {
    let shared = Flock { start: SHARED_LOCK, length: SHARED_LENGTH, ..Flock::from(FlockType::WriteLock) };
    // Locks of this process do not conflict.
    held(path).is_ok_and(|file| matches!(fcntl_getlk(&*file, &shared), Ok(None)))
}

/// Refuses a store whose write-ahead log was removed while it is open: commits would go into a deleted file.
pub(super) fn check_log(path: &Path, log: &Path, opened: Option<Identity>) -> Result<()> {
    match opened {
        Some(known) if Identity::of(log) != Some(known) => Err(log_lost(path)),
        _ => Ok(()),
    }
}

/// Returns the error for a removed write-ahead log.
pub(super) fn log_lost(path: &Path) -> Error {
    let log = log_of(path);
    Error::Gone(format!("{} was removed while the store was open; start again", log.display()))
}

/// Refuses an empty file next to a write-ahead log with content: it was that log's store, and SQLite would remove the
/// log.
pub(super) fn check_emptied(path: &Path) -> Result<()> {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    if path.exists() && length(path) == 0 && length(&log_of(path)) > 0 {
        return Err(file_missing(path, "was emptied"));
    }
    Ok(())
}

/// Checks that the file and its folder can be written and that there is room. After a failed write it tests with a
/// temporary file, because the free space that the file system reports does not include quotas.
pub(super) fn check_writable(path: &Path, was_full: bool) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    for place in [path, folder] {
        access(place, Access::WRITE_OK).map_err(|why| cannot(&why.into(), "write", place))?;
    }
    let room = statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    if room < ROOM {
        return Err(Error::Full(format!("{} has {room} bytes left; make room", folder.display())));
    }
    if was_full { probe(folder) } else { Ok(()) }
}

fn probe(folder: &Path) -> Result<()> {
    let file: PathBuf = folder.join(format!(".room-{}", std::process::id()));
    let written = std::fs::write(&file, vec![0; PROBE]);
    let _ = std::fs::remove_file(&file);
    written.map_err(|why| cannot(&why, "write", &file))
}
