//! Connections that read, kept for the next reader.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::migrate::{self, Found};
use super::{connection, presence};
use crate::{Error, Result};

/// How many connections are kept open between reads.
const KEPT: usize = 4;

/// A connection that reads, and the numbering of the file it has open.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) numbering: Numbering,
    file: Option<Identity>,
}

impl Reader {
    pub(super) fn new(connection: Connection, numbering: Numbering, path: &Path) -> Self {
        Self { connection, numbering, file: Identity::of(path) }
    }
}

/// Which file a path leads to; it changes when a backup is put in place of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity(u64, u64);

impl Identity {
    pub(super) fn of(path: &Path) -> Option<Self> {
        // An empty file is not a store, whichever it was.
        let file = std::fs::metadata(path).ok().filter(|file| file.len() > 0)?;
        Some(Self(file.dev(), file.ino()))
    }

    /// Returns the same for a file that may be empty.
    pub(super) fn of_any(path: &Path) -> Option<Self> {
        let file = std::fs::metadata(path).ok()?;
        Some(Self(file.dev(), file.ino()))
    }
}

/// Readers that nobody uses at the moment.
pub(super) struct Pool {
    path: PathBuf,
    numbering: Numbering,
    idle: Mutex<Vec<Reader>>,
}

impl Pool {
    /// Starts with a first reader; others must find the same store.
    pub(super) fn new(path: PathBuf, first: Reader) -> Self {
        Self { path, numbering: first.numbering, idle: Mutex::new(vec![first]) }
    }

    /// Returns the numbering of the store that was opened.
    pub(super) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Runs a read on a connection of its own.
    pub(super) fn with<T>(&self, read: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let reader = self.take()?;
        let result = read(&reader);
        // After a failure the connection may be in any state: the next reader opens a new one.
        if matches!(result, Ok(_) | Err(Error::Refused(_))) {
            self.put(reader);
        }
        result
    }

    pub(super) fn put(&self, reader: Reader) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(reader);
        }
    }

    /// Closes all connections that nobody uses.
    pub(super) fn clear(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Result<Reader> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(reader) if reader.file == Identity::of(&self.path) => {
                migrate::check(&reader.connection)?;
                Ok(reader)
            }
            _ => {
                presence::check(&self.path, self.numbering)?;
                reader(&self.path)
            }
        }
    }
}

/// Opens a reader on a store that is up to date.
pub(super) fn reader(path: &Path) -> Result<Reader> {
    match open(path)? {
        (connection, Found::Ready(numbering)) => Ok(Reader::new(connection, numbering, path)),
        (_, Found::Old) => {
            let numbering = migrate::migrate(&mut connection::writer(path)?)?;
            Ok(Reader::new(connection::reader(path)?, numbering, path))
        }
    }
}

/// Opens a connection that reads and looks what it found.
pub(super) fn open(path: &Path) -> Result<(Connection, Found)> {
    let connection = connection::reader(path)?;
    let found = migrate::look(&connection)?;
    Ok((connection, found))
}
