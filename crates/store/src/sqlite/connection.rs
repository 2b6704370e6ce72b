//! Opens connections: the only place that does, with what each kind needs.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{Access, access};

use super::{migrate, suitable};
use crate::{Error, Result};

/// How long a connection waits for another process to let go of the file: a disk that others keep busy may take this long
/// to sync.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);
const STATEMENTS: usize = 64;

/// Opens a connection that only reads. Few statements: a command that shows one decision opens one of these.
pub(super) fn reader(path: &Path) -> Result<Connection> {
    let connection = if is_still(path) { open_still(path)? } else { open(path)? };
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Opens a connection that writes.
pub(super) fn writer(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    // Frames of a commit are synced before it counts: what someone has decided survives a power cut.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; \
         PRAGMA secure_delete = ON; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;",
    )?;
    if connection.is_readonly("main")? {
        return Err(Error::ReadOnly(format!(
            "{} may be read only; check who owns the file and its folder, and how they are mounted",
            path.display()
        )));
    }
    migrate::write_ahead(&connection)?;
    Ok(connection)
}

/// Opens a connection that copies the whole file.
pub(super) fn copier(path: &Path) -> Result<Connection> {
    open(path)
}

/// Opens a connection that moves the write-ahead log back into the file.
pub(super) fn backfiller(path: &Path) -> Result<Connection> {
    let connection = open(path)?;
    connection.execute_batch("PRAGMA synchronous = FULL;")?;
    Ok(connection)
}

/// Makes the file if it is not there: readable by its owner only, in a folder of theirs.
pub(super) fn create(path: &Path) -> Result<()> {
    if let Some(folder) = path.parent() {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|why| cannot(&why, "make the folder", folder))?;
        suitable::check(folder)?;
    }
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        // Another process was faster.
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(why) => Err(cannot(&why, "make the store", path)),
    }
}

/// Says what stood in the way of a file.
pub(super) fn cannot(why: &std::io::Error, what: &str, path: &Path) -> Error {
    let message = format!("cannot {what} {}: {why}", path.display());
    match why.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(message),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Full(message),
        _ => Error::Unavailable(message),
    }
}

/// Returns whether a file lies where nobody here can write and has no write-ahead log: SQLite would want to make one.
fn is_still(path: &Path) -> bool {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        fs::metadata(Path::new(&name)).map(|file| file.len()).ok()
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    access(folder, Access::WRITE_OK).is_err()
        && (beside("-wal").is_none() || (beside("-wal") == Some(0) && beside("-shm").is_none()))
}

/// Opens such a file as one that does not change.
fn open_still(path: &Path) -> Result<Connection> {
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
    prepare(path, Connection::open_with_flags(name, flags))
}

fn open(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    prepare(path, Connection::open_with_flags(path, flags))
}

fn prepare(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Connection> {
    // SQLite says only that it could not: the system knows why.
    let mut connection = opened.map_err(|error| match access(path, Access::READ_OK) {
        Err(why) => cannot(&why.into(), "open", path),
        Ok(()) => error.into(),
    })?;
    wait_for_lock(&mut connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // The last connection to close would move the write-ahead log into the file and sync twice; the writer sees to
    // that.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Otherwise a statement whose plan could depend on what is bound to it is prepared again at every use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Has a connection wait for another process to let go of the lock.
pub(super) fn wait_for_lock(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(patient()))
}

/// Waits for another process to let go of the lock. Commits take well under a millisecond, so it asks again sooner
/// than SQLite's own handler, which would sleep up to a tenth of a second while the lock is free.
fn patient() -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |tries| {
        if tries == 0 {
            since = Instant::now();
        }
        let micros = match tries {
            0..10 => 100,
            10..100 => 500,
            _ => 2_000,
        };
        std::thread::sleep(Duration::from_micros(micros));
        since.elapsed() < TIMEOUT
    }
}
