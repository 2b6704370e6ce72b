//! Connections for reading, kept for the next reader.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::connection::ReadConnection;
use super::file::StoreFile;
use super::immutable::Immutable;
use super::migrate::{self, Schema};
use super::{connection, presence};
use crate::{Error, Result};

/// How many connections are kept open between reads.
const KEPT: usize = 4;
/// How often a read is repeated if the file changes meanwhile.
const TRIES: usize = 5;

/// A connection for reading, with the numbering of its file.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) numbering: Numbering,
    /// The state of the file, if it is read as immutable.
    immutable: Option<Immutable>,
}

impl Reader {
    pub(super) fn new(opened: ReadConnection, numbering: Numbering) -> Self {
        let (connection, immutable) = opened;
        Self { connection, numbering, immutable }
    }

    /// Returns whether it sees everything that is committed.
    fn is_current(&self, path: &Path) -> bool {
        self.immutable.is_none_or(|immutable| immutable.is_current(path))
    }

    /// Returns whether the data read so far is from a single state of the store.
    fn is_consistent(&self, path: &Path) -> bool {
        self.immutable.is_none_or(|immutable| immutable.is_unchanged(path))
    }
}

/// Idle readers.
pub(super) struct Pool {
    file: Arc<StoreFile>,
    numbering: Numbering,
    idle: Mutex<Vec<Reader>>,
}

impl Pool {
    /// Makes a pool with a first reader; others must find the same store.
    pub(super) fn new(file: Arc<StoreFile>, first: Reader) -> Self {
        Self { file, numbering: first.numbering, idle: Mutex::new(vec![first]) }
    }

    /// Returns the numbering of the store that was opened.
    pub(super) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Runs a read on a separate connection, and again if a file that was read as immutable has changed.
    pub(super) fn with<T>(&self, read: impl Fn(&Reader) -> Result<T>) -> Result<T> {
        for _ in 0..TRIES {
            let reader = self.take()?;
            let result = read(&reader);
            if !reader.is_consistent(self.file.path()) {
                continue;
            }
            // After an error the connection may be in any state, so it is dropped.
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

    /// Closes all idle connections.
    pub(super) fn clear(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Result<Reader> {
        self.file.check()?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(reader) if reader.is_current(self.file.path()) => {
                migrate::check(&reader.connection)?;
                Ok(reader)
            }
            _ => {
                presence::check(&self.file, self.numbering)?;
                reader(&self.file)
            }
        }
    }
}

/// Opens a reader on a store with a current schema.
pub(super) fn reader(file: &StoreFile) -> Result<Reader> {
    match open(file)? {
        (opened, Schema::Ready(numbering)) => Ok(Reader::new(opened, numbering)),
        (opened, Schema::Old) => {
            drop(opened);
            let numbering = migrate::migrate(&mut connection::writer(file)?)?;
            let (opened, _) = open(file)?;
            Ok(Reader::new(opened, numbering))
        }
    }
}

/// Opens a connection for reading, and reads the schema's state.
fn open(file: &StoreFile) -> Result<(ReadConnection, Schema)> {
    connection::reader(file, migrate::schema)
}
