//! Classifies errors of SQLite and of the file system for callers.

use std::io::ErrorKind;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::Error;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        match &error {
            E::SqliteFailure(code, _) => of_code(code.code, code.extended_code, error.to_string()),
            E::FromSqlConversionFailure(..) | E::InvalidColumnType(..) | E::IntegralValueOutOfRange(..) => {
                Self::Corrupt(format!("a row is not what was written: {error}; run hold doctor"))
            }
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

/// Returns whether another process holds a lock.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Returns the error for a file operation that failed.
pub(super) fn cannot(why: &std::io::Error, what: &str, path: &Path) -> Error {
    let message = format!("cannot {what} {}: {why}", path.display());
    match why.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(message),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Full(message),
        _ => Error::Unavailable(message),
    }
}

/// Returns the error for an open store that was removed or replaced.
pub(super) fn file_missing(path: &Path, what: &str) -> Error {
    Error::Gone(format!("{} {what}; put it back or restore a backup, then start again", path.display()))
}

fn of_code(code: ErrorCode, extended: i32, message: String) -> Error {
    match code {
        ErrorCode::DiskFull => Error::Full(format!("{message}; free some space and try again")),
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Error::ReadOnly(format!(
            "{message}; check who owns the file and its folder, and how they are mounted"
        )),
        ErrorCode::CannotOpen => {
            Error::Unavailable(format!("{message}; check that the folder is there and yours"))
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            Error::Corrupt(format!("{message}; if hold doctor cannot read it either, restore a backup"))
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            Error::Unavailable(format!("{message}: another process is writing for too long; try again"))
        }
        ErrorCode::SystemIoFailure if is_no_space(extended) => {
            Error::Full(format!("{message}; free some space and try again"))
        }
        ErrorCode::ConstraintViolation => Error::Corrupt(format!(
            "{message}: the projections do not fit the log; run hold doctor --rebuild"
        )),
        _ => Error::Unavailable(message),
    }
}

/// Returns whether the shared-memory file of the log could not be grown: on a full disk, SQLite reports it only like
/// this.
fn is_no_space(extended: i32) -> bool {
    extended == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(format!("a stored document cannot be read: {error}; run hold doctor"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_kinds() {
        use rusqlite::ffi::{self, Error as Code};
        type Fits = fn(&Error) -> bool;
        let cases: [(i32, Fits); 6] = [
            (ffi::SQLITE_FULL, |error| matches!(error, Error::Full(_))),
            (ffi::SQLITE_READONLY, |error| matches!(error, Error::ReadOnly(_))),
            (ffi::SQLITE_CORRUPT, |error| matches!(error, Error::Corrupt(_))),
            (ffi::SQLITE_NOTADB, |error| matches!(error, Error::Corrupt(_))),
            (ffi::SQLITE_BUSY, |error| matches!(error, Error::Unavailable(_))),
            (ffi::SQLITE_IOERR_SHMSIZE, |error| matches!(error, Error::Full(_))),
        ];
        for (code, fits) in cases {
            let error = Error::from(rusqlite::Error::SqliteFailure(Code::new(code), None));
            assert!(fits(&error), "{code}: {error:?}");
        }
    }
}
