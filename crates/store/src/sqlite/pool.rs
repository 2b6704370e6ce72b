//! Connections that read, kept for the next reader.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::connection::Opened;
use super::file::StoreFile;
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
    /// How the file was, where it is read as one that does not change.
    immutable: Option<Immutable>,
}

impl Reader {
    pub(super) fn new(opened: Opened, numbering: Numbering) -> Self {
        let (connection, immutable) = opened;
        Self { connection, numbering, immutable }
    }

    /// Returns whether it sees what is committed.
    fn is_current(&self, path: &Path) -> bool {
        self.immutable.is_none_or(|immutable| immutable.is_current(path))
    }

    /// Returns whether what was read is one state of the store.
    fn is_consistent(&self, path: &Path) -> bool {
        self.immutable.is_none_or(|immutable| immutable.is_unchanged(path))
    }
}

/// Readers that nobody uses at the moment.
pub(super) struct Pool {
    file: Arc<StoreFile>,
    numbering: Numbering,
    idle: Mutex<Vec<Reader>>,
}

impl Pool {
    /// Starts with a first reader; others must find the same store.
    pub(super) fn new(file: Arc<StoreFile>, first: Reader) -> Self {
        Self { file, numbering: first.numbering, idle: Mutex::new(vec![first]) }
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
            if !reader.is_consistent(self.file.path()) {
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

/// Opens a reader on a store that is up to date.
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

/// Opens a connection that reads and looks what it found.
fn open(file: &StoreFile) -> Result<(Opened, Schema)> {
    connection::reader(file, migrate::schema)
}
