//! What can go wrong with a store, in kinds that a caller can act on.

use holdpoint_core::Refusal;

/// Why the store did not do as asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The command was refused; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is busy or out of reach; the same call may go through later.
    #[error("the store is out of reach: {0}")]
    Unavailable(String),
    /// The database that keeps the store does not answer; the same call may go through later.
    #[error("the database is out of reach: {0}")]
    Unreachable(String),
    /// The disk, or the quota on it, is full; nothing was written.
    #[error("the disk under the store is full: {0}")]
    Full(String),
    /// The store may be read, not written.
    #[error("the store cannot be written: {0}")]
    ReadOnly(String),
    /// The store that was opened is not there any more, or another lies in its place; nothing was written.
    #[error("the store is gone: {0}")]
    Gone(String),
    /// The store's content is damaged.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The store was made by a newer version.
    #[error("the store has schema version {found}, but this program knows only up to {known}")]
    TooNew {
        /// What the store says.
        found: i64,
        /// What this program knows.
        known: i64,
    },
    /// The store cannot be kept where it is.
    #[error("{0}")]
    Unsuitable(String),
}

/// What store calls return.
pub type Result<T> = std::result::Result<T, Error>;
