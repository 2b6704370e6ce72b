//! Classifies PostgreSQL's errors, for callers and for code that may retry.

use holdpoint_core::Refusal;
use tokio_postgres::error::SqlState;

use crate::Error;

/// An error of the database.
#[derive(Debug)]
pub(super) enum PgError {
    /// The connection was lost; the work in progress may or may not have been committed.
    Lost(String),
    /// The database rolled everything back; the same may succeed now.
    Again(String),
    /// A table or the whole schema is missing.
    Missing,
    /// A retry will not help.
    Final(Error),
}

pub(super) type Result<T> = std::result::Result<T, PgError>;

impl PgError {
    /// Returns whether a retry may succeed.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Again(_))
    }
}

impl From<tokio_postgres::Error> for PgError {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(db) = error.as_db_error() {
            return of_code(db.code(), format!("{} ({})", db.message(), db.code().code()));
        }
        // The source has what the error itself omits: which file, host or certificate.
        let source =
            std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
        let why = format!("{error}{source}");
        if why.contains("serializing") {
            return Self::Final(Error::Corrupt(format!(
                "a row is not what was written: {why}; run hold doctor"
            )));
        }
        if why.contains("TLS") {
            return Self::Final(Error::Unsuitable(format!(
                "no encrypted connection to the database: {why}; sslrootcert=FILE names the root to trust, sslmode says how much"
            )));
        }
        Self::Lost(why)
    }
}

fn of_code(code: &SqlState, why: String) -> PgError {
    let class = code.code().get(..2).unwrap_or_default();
    if *code == SqlState::T_R_SERIALIZATION_FAILURE
        || *code == SqlState::T_R_DEADLOCK_DETECTED
        || *code == SqlState::LOCK_NOT_AVAILABLE
    {
        return PgError::Again(why);
    }
    if *code == SqlState::UNDEFINED_TABLE || *code == SqlState::INVALID_SCHEMA_NAME {
        return PgError::Missing;
    }
    // A prepared plan that no longer fits is replaced by preparing again on a new connection.
    if *code == SqlState::FEATURE_NOT_SUPPORTED && why.contains("cached plan")
        || *code == SqlState::INVALID_SQL_STATEMENT_NAME
        || *code == SqlState::DUPLICATE_PSTATEMENT
        || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || *code == SqlState::TOO_MANY_CONNECTIONS
        || matches!(class, "08" | "57")
    {
        return PgError::Lost(why);
    }
    PgError::Final(match class {
        _ if *code == SqlState::DISK_FULL => Error::Full(format!("{why}; free some space and try again")),
        _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
            Error::Unsuitable(format!("{why}; grant the user of the store what it needs"))
        }
        _ if *code == SqlState::CHARACTER_NOT_IN_REPERTOIRE
            || *code == SqlState::UNTRANSLATABLE_CHARACTER =>
        {
            Error::Refused(Refusal::invalid("text", "must not contain a zero character"))
        }
        "28" => Error::Unsuitable(format!(
            "the database refuses the sign-in: {why}; check user and password in the address (special characters as %XX)"
        )),
        "3D" => Error::Unsuitable(format!("{why}; make it first, with createdb")),
        "23" => {
            Error::Corrupt(format!("{why}: the projections do not fit the log; run hold doctor --rebuild"))
        }
        "XX" => Error::Corrupt(why),
        _ => Error::Unavailable(why),
    })
}

impl From<Error> for PgError {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl From<serde_json::Error> for PgError {
    fn from(error: serde_json::Error) -> Self {
        Self::Final(error.into())
    }
}

impl From<PgError> for Error {
    fn from(fault: PgError) -> Self {
        match fault {
            PgError::Lost(why) if why.contains("read-only transaction") => Self::Unsuitable(format!(
                "the database can only be read: {why}; with several hosts, add target_session_attrs=read-write"
            )),
            PgError::Lost(why) | PgError::Again(why) => Self::Unreachable(why),
            PgError::Missing => {
                Self::Unavailable("the tables of the store are gone; restore a backup".into())
            }
            PgError::Final(error) => error,
        }
    }
}
