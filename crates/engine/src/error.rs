//! What can go wrong on the way to a decision.

use holdpoint_core::{Decision, DecisionId, Refusal};

use crate::problem::Problem;

/// Why the engine did not do as asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command was refused; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Nothing has that id, or one that starts so.
    #[error("no decision has the id {0:?}")]
    NotFound(String),
    /// Several ids start so.
    #[error("{prefix:?} names {} decisions", if *.more { "many".to_owned() } else { .candidates.len().to_string() })]
    Ambiguous {
        /// What was typed.
        prefix: String,
        /// Some of those it could mean.
        candidates: Vec<Decision>,
        /// Whether there are yet more.
        more: bool,
    },
    /// Several runs are named so.
    #[error("{part:?} names {} runs", if *.more { "many".to_owned() } else { .candidates.len().to_string() })]
    SeveralRuns {
        /// What was typed.
        part: String,
        /// Some of those it could mean: id, and what is attempted.
        candidates: Vec<(String, String)>,
        /// Whether there are yet more.
        more: bool,
    },
    /// Several jobs are named so: which, in words.
    #[error("{0}")]
    SeveralJobs(String),
    /// The decision was removed while someone waited for it.
    #[error("decision {0} was removed")]
    Removed(DecisionId),
    /// The store did not do as asked.
    #[error(transparent)]
    Store(holdpoint_store::Error),
    /// A signed link does not count.
    #[error(transparent)]
    Link(#[from] crate::auth::LinkError),
    /// The server did not do as asked.
    #[error("{}", .0.detail)]
    Remote(Box<Problem>),
    /// The server could not be reached.
    #[error("{0}")]
    Unreachable(String),
    /// A repository did not do as asked.
    #[cfg(feature = "runs")]
    #[error(transparent)]
    Git(#[from] crate::git::GitError),
    /// A terminal session did not do as asked.
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

/// What engine calls return.
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
    /// Wraps an I/O error with what was being done.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
