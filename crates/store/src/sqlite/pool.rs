//! Connections that read, kept for the next reader.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::connection::Opened;
use super::identity::Identity;
use super::immutable::Immutable;
use super::migrate::{self, Schema};
use super::{connection, presence};
use crate::{Error, Result};

/// How many connections are kept open between reads.
const KEPT: usize = 4;
/// How often a file is read that others change meanwhile.
const TRIES: usize = 5;

/// A connection that reads, and the numbering of the file it has open.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) numbering: Numbering,
    file: Option<Identity>,
    /// How the file was, where it is read as one that does not change.
    immutable: Option<Immutable>,
}

impl Reader {
    pub(super) fn new(opened: Opened, numbering: Numbering, path: &Path) -> Self {
        let (connection, immutable) = opened;
        Self { connection, numbering, file: Identity::of(path), immutable }
    }

    /// Returns whether it still has the store open that is there, and sees what is committed.
    fn is_current(&self, path: &Path) -> bool {
        self.file == Identity::of(path) && self.immutable.is_none_or(|immutable| immutable.is_current(path))
    }

    /// Returns whether what was read is one state of the store.
    fn is_consistent(&self, path: &Path) -> bool {
        self.immutable.is_none_or(|immutable| immutable.is_unchanged(path))
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

    /// Runs a read on a connection of its own; again, if a writer changed a file that was read as one that does not change.
    pub(super) fn with<T>(&self, read: impl Fn(&Reader) -> Result<T>) -> Result<T> {
        for _ in 0..TRIES {
            let reader = self.take()?;
            let result = read(&reader);
            if !reader.is_consistent(&self.path) {
                continue;
            }
            // After a failure the connection may be in any state: the next reader opens a new one.
            if matches!(result, Ok(_) | Err(Error::Refused(_))) {
                self.put(reader);
            }
            return result;
        }
        Err(Error::Unavailable("another process keeps writing; try again".into()))
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
            Some(reader) if reader.is_current(&self.path) => {
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
        (opened, Schema::Ready(numbering)) => Ok(Reader::new(opened, numbering, path)),
        (_, Schema::Old) => {
            let numbering = migrate::migrate(&mut connection::writer(path)?)?;
            let (opened, _) = open(path)?;
            Ok(Reader::new(opened, numbering, path))
        }
    }
}

/// Opens a connection that reads and looks what it found.
pub(super) fn open(path: &Path) -> Result<(Opened, Schema)> {
    connection::reader(path, migrate::schema)
}
