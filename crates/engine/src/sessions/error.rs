//! What can go wrong with a session.

use std::path::PathBuf;

/// Why an operation on a session failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing was ever started in that folder.
    #[error("no session was started in {}", .0.display())]
    NotStarted(PathBuf),
    /// The folder holds another session.
    #[error("{} already holds the session {id}", .dir.display())]
    OtherSession {
        /// The folder.
        dir: PathBuf,
        /// The id of that session.
        id: String,
    },
    /// The agent could not be started; nothing runs.
    #[error("cannot start the agent: {0}")]
    Start(String),
    /// The host process is gone.
    #[error("the host process of the session is gone")]
    HostGone,
    /// The agent has ended.
    #[error("the agent has ended")]
    Ended,
    /// The host refused, and did nothing.
    #[error("{0}")]
    Refused(String),
    /// The host's answer is invalid, or late.
    #[error("the session's host: {0}")]
    Host(String),
    /// A file could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// Which file, and for what.
        what: String,
        /// What went wrong.
        source: std::io::Error,
    },
}
