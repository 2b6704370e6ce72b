//! Errors of the command line: one kind of error, one exit code each.

use holdpoint_core::{Class, DecisionId, Refusal};
use holdpoint_engine::Error;
use holdpoint_store as store;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// An error, or input that is not valid.
    Error,
    /// The command line itself is wrong.
    Usage,
    /// Not found, or ambiguous.
    NotFound,
    /// Settled already, changed since, or not consumable.
    Conflict,
    /// Gave up waiting; still pending.
    StillPending,
    /// Settled without an answer.
    NoAnswer,
    /// Changes were requested; the next round is open.
    Refined,
    /// Answered, but not as expected.
    NotExpected,
    /// With the exit code of the command that was run.
    As(u8),
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Error => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::Conflict => 4,
            Self::StillPending => 5,
            Self::NoAnswer => 6,
            Self::Refined => 7,
            Self::NotExpected => 8,
            Self::As(code) => code,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command failed, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// What is printed.
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hints: Vec::new() }
    }

    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::new(Exit::Error, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let exit = match refusal.class() {
            Class::Invalid | Class::Forbidden | Class::TooMany => Exit::Error,
            Class::NotFound => Exit::NotFound,
            Class::Conflict | Class::Unconditional => Exit::Conflict,
        };
        Self { exit, message: refusal.to_string(), hints: refusal.hint().into_iter().collect() }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::NotFound(_) => {
                Self::new(Exit::NotFound, message).hint("list them all: hold list --status all")
            }
            Error::Ambiguous { prefix, candidates, more } => {
                // The name of an item is no prefix.
                let start = DecisionId::normalise_prefix(&prefix);
                let begins = |start: &str| candidates.iter().all(|one| one.id.suffix().starts_with(start));
                let is_prefix = start.as_deref().is_some_and(begins);
                let how = if is_prefix { "use a longer prefix" } else { "name the one you mean by its id" };
                let mut failure = Self::new(Exit::NotFound, format!("{message}; {how}"));
                failure.hints = candidates.iter().map(candidate).collect();
                if more {
                    failure.hints.push("…".into());
                }
                failure
            }
            Error::SeveralRuns { candidates, more, .. } => {
                let mut failure = Self::new(Exit::NotFound, format!("{message}; use a longer prefix"));
                failure.hints = candidates.iter().map(|(id, title)| format!("{id}  {title}")).collect();
                failure.hints.extend(more.then(|| "…".to_owned()));
                failure
            }
            Error::SeveralJobs(_) => Self::new(Exit::NotFound, message).hint("name it by its id"),
            Error::Session(_) => Self::new(Exit::Conflict, message),
            Error::Removed(_) => Self::new(Exit::NoAnswer, message),
            Error::Store(error) => {
                let hint = match &error {
                    store::Error::Unreachable(_) => {
                        Some("check that it runs, and that HOLD_STORE names the right host and port")
                    }
                    store::Error::Full(_) => Some("make room, then try again: nothing was written"),
                    store::Error::ReadOnly(_) => {
                        Some("check the folder's permissions, or set HOLD_HOME to another folder")
                    }
                    store::Error::TooNew { .. } => Some("use the newer hold that made it"),
                    // The messages of these already say what to do.
                    store::Error::Unavailable(_)
                    | store::Error::Corrupt(_)
                    | store::Error::Gone(_)
                    | store::Error::Unsuitable(_)
                    | store::Error::Refused(_) => None,
                };
                let failure = Self::error(message);
                hint.into_iter().fold(failure, Failure::hint)
            }
            Error::Remote(problem) => {
                let exit = match problem.status {
                    404 => Exit::NotFound,
                    409 | 428 => Exit::Conflict,
                    410 => Exit::NoAnswer,
                    _ => Exit::Error,
                };
                let faults: Vec<String> = problem.errors.iter().map(ToString::to_string).collect();
                let message = if faults.is_empty() { message } else { faults.join("\n") };
                let lines = problem.candidates.iter().map(candidate);
                Self { exit, message, hints: problem.hint.clone().into_iter().chain(lines).collect() }
            }
            Error::Unreachable(_) => {
                Self::error(message).hint("check that the server is running; hold serve starts one")
            }
            Error::Git(fault) if fault.kind == holdpoint_engine::git::Kind::Taken => {
                Self::new(Exit::Conflict, message)
            }
            Error::Settings(_) | Error::Git(_) | Error::Link(_) | Error::Io { .. } => Self::error(message),
        }
    }
}

fn candidate(decision: &holdpoint_core::Decision) -> String {
    let summary: String = holdpoint_core::text::inert_line(decision.summary()).chars().take(60).collect();
    format!("{}  {}  {summary}", decision.id, decision.status)
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::error(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::error(error.to_string())
    }
}
