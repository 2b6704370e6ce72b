//! Opens connections: the only place that does, with the settings that each kind needs.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{Access, access};

use super::fault::{cannot, is_busy};
use super::file::StoreFile;
use super::immutable::{self, Immutable};
use super::suitable;
use crate::{Error, Result};

/// How long a connection waits for another process to release the file: syncing a busy disk may take this long.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);
const STATEMENTS: usize = 64;

/// A connection for reading, with the state of the file if it is read as immutable.
pub(super) type ReadConnection = (Connection, Option<Immutable>);

/// Opens a connection for reading, and makes the first read. It uses few statements, because a command that shows one
/// decision opens one of these.
pub(super) fn reader<T>(
    file: &StoreFile,
    first: impl Fn(&Connection) -> Result<T>,
) -> Result<(ReadConnection, T)> {
    reading(file, |connection| {
        connection.pragma_update(None, "query_only", true)?;
        first(connection)
    })
}

/// Opens a connection that copies the whole file.
pub(super) fn copier(file: &StoreFile) -> Result<ReadConnection> {
    let first = |connection: &Connection| {
        connection.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
        Ok(())
    };
    Ok(reading(file, first)?.0)
}

/// Opens a connection that writes.
pub(super) fn writer(file: &StoreFile) -> Result<Connection> {
    let (connection, path) = (open(file)?, file.path());
    if connection.is_readonly("main")? {
        return Err(Error::ReadOnly(format!(
            "{} may be read only; check who owns the file and its folder, and how they are mounted",
            path.display()
        )));
    }
    // The frames of a commit are synced before it is acknowledged, so that it survives a power cut.
    let set = connection
        .execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; \
             PRAGMA secure_delete = ON; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;",
        )
        .map_err(Error::from)
        .and_then(|()| write_ahead(&connection));
    let folder = path.parent().unwrap_or(Path::new("/"));
    set.map_err(|error| match (error, access(folder, Access::WRITE_OK)) {
        // SQLite reports only that it could not create the log.
        (Error::Unavailable(_), Err(why)) => cannot(&why.into(), "write", folder),
        (error, _) => error,
    })?;
    Ok(connection)
}

/// Opens a connection that checkpoints the write-ahead log into the file.
pub(super) fn backfiller(file: &StoreFile) -> Result<Connection> {
    let connection = open(file)?;
    connection.execute_batch("PRAGMA synchronous = FULL;")?;
    Ok(connection)
}

/// Creates the file if it does not exist: readable only by its owner, in a private folder.
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

/// Opens a connection and makes the first read, because only then does SQLite create the files it needs. If it cannot,
/// and the file is complete without a log, the file is read as immutable.
fn reading<T>(file: &StoreFile, first: impl Fn(&Connection) -> Result<T>) -> Result<(ReadConnection, T)> {
    let path = file.path();
    let open = || {
        let connection = open(file)?;
        let found = first(&connection)?;
        Ok(((connection, None), found))
    };
    let opened = if Immutable::must_be(path) { None } else { Some(open()) };
    match (opened, Immutable::of(path)) {
        (None | Some(Err(Error::Full(_) | Error::ReadOnly(_) | Error::Unavailable(_))), Some(immutable)) => {
            let connection = prepare(path, immutable::open(path))?;
            let found = first(&connection);
            // A writer that checkpointed its log meanwhile has left one that can be read, or is still there to be
            // waited for.
            if immutable.is_unchanged(path) { Ok(((connection, Some(immutable)), found?)) } else { open() }
        }
        (Some(opened), _) => opened,
        // A writer has just started.
        (None, None) => open(),
    }
}

fn open(file: &StoreFile) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = prepare(file.path(), Connection::open_with_flags(file.path(), flags))?;
    // The check comes between opening and the first read, because only then does SQLite look for the log.
    file.check()?;
    Ok(connection)
}

fn prepare(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Connection> {
    // SQLite reports only that it could not open the file; the system knows why.
    let mut connection = opened.map_err(|error| match access(path, Access::READ_OK) {
        Err(why) => cannot(&why.into(), "open", path),
        Ok(()) => error.into(),
    })?;
    wait_for_lock(&mut connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // The last connection to close would checkpoint the write-ahead log and sync twice; the writer takes care of that.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Otherwise a statement whose plan could depend on bound values is prepared again at every use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Runs a write whose commit does not wait for the disk: one that may be lost in a power cut. The next commit that does
/// wait takes it to the disk as well.
pub(super) fn unsynced<T>(
    connection: &mut Connection,
    write: impl FnOnce(&mut Connection) -> Result<T>,
) -> Result<T> {
    connection.execute_batch("PRAGMA synchronous = NORMAL")?;
    let done = write(connection);
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    done
}

/// Makes a connection wait for another process to release the lock.
pub(super) fn wait_for_lock(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(patient()))
}

/// Waits for another process to release the lock. Commits take well under a millisecond, so this retries sooner than
/// SQLite's own handler, which would sleep up to a tenth of a second while the lock is free.
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

/// Switches the file to write-ahead logging, if necessary.
fn write_ahead(connection: &Connection) -> Result<()> {
    let start = Instant::now();
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode.eq_ignore_ascii_case("wal") => return Ok(()),
            Ok(mode) => {
                let message = format!("it cannot keep a write-ahead log (its journal mode stays {mode})");
                return Err(Error::Unsuitable(message));
            }
            // SQLite does not wait for this lock by itself.
            Err(error) if is_busy(&error) && start.elapsed() < TIMEOUT => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(error.into()),
        }
    }
}
