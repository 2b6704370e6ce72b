//! Errors of a store, in kinds that a caller can act on.

use holdpoint_core::Refusal;

/// An error of a store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The command was refused; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is busy or out of reach; the same call may go through later.
    #[error("the store is out of reach: {0}")]
    Unavailable(String),
    /// The database server does not answer; the same call may succeed later.
    #[error("the database is out of reach: {0}")]
    Unreachable(String),
    /// The disk, or the quota on it, is full; nothing was written.
    #[error("the disk under the store is full: {0}")]
    Full(String),
    /// The store can be read, but not written.
    #[error("the store cannot be written: {0}")]
    ReadOnly(String),
    /// The store that was opened has been removed or replaced; nothing was written.
    #[error("the store is gone: {0}")]
    Gone(String),
    /// The store's content is damaged.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The store was made by a newer version.
    #[error("the store has schema version {found}, but this program knows only up to {known}")]
    TooNew {
        /// The version of the store.
        found: i64,
        /// The latest version that this program knows.
        known: i64,
    },
    /// The store cannot be kept in its location.
    #[error("{0}")]
    Unsuitable(String),
}

/// The result of store calls.
pub type Result<T> = std::result::Result<T, Error>;
