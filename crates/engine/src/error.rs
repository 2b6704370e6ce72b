//! What can go wrong on the way to a decision.

use holdpoint_core::{Decision, DecisionId, Refusal};

use crate::problem::Problem;

/// Why the engine could not do what was requested.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command was refused; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No record has this id or prefix.
    #[error("decision {0:?} not found")]
    NotFound(String),
    /// Several ids have this prefix.
    #[error("{prefix:?} names {} decisions", if *.more { "many".to_owned() } else { .candidates.len().to_string() })]
    Ambiguous {
        /// What was typed.
        prefix: String,
        /// Some of the matching decisions.
        candidates: Vec<Decision>,
        /// Whether there are more.
        more: bool,
    },
    /// Several runs match.
    #[error("{part:?} names {} runs", if *.more { "many".to_owned() } else { .candidates.len().to_string() })]
    SeveralRuns {
        /// What was typed.
        part: String,
        /// Some of the matching runs: id, and what is attempted.
        candidates: Vec<(String, String)>,
        /// Whether there are more.
        more: bool,
    },
    /// Several jobs match; a description of them.
    #[error("{0}")]
    SeveralJobs(String),
    /// The decision was removed while a caller waited for it.
    #[error("decision {0} was removed")]
    Removed(DecisionId),
    /// The store failed.
    #[error(transparent)]
    Store(holdpoint_store::Error),
    /// A signed link is not valid.
    #[error(transparent)]
    Link(#[from] crate::auth::LinkError),
    /// The server returned an error.
    #[error("{}", .0.detail)]
    Remote(Box<Problem>),
    /// The server could not be reached.
    #[error("{0}")]
    Unreachable(String),
    /// A repository operation failed.
    #[cfg(feature = "runs")]
    #[error(transparent)]
    Git(#[from] crate::git::GitError),
    /// A terminal session failed.
    #[error("{0}")]
    Session(String),
    /// The settings are wrong.
    #[error("{0}")]
    Settings(String),
    /// A file could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// Which file, and for what.
        what: String,
        /// What went wrong.
        source: std::io::Error,
    },
}

/// The result of engine calls.
pub type Result<T> = std::result::Result<T, Error>;

impl From<holdpoint_store::Error> for Error {
    fn from(error: holdpoint_store::Error) -> Self {
        match error {
            holdpoint_store::Error::Refused(refusal) => Self::Refused(refusal),
            other => Self::Store(other),
        }
    }
}

impl Error {
    /// Returns a function that wraps an I/O error with what was being done.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
