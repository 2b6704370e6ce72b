//! Errors as they are sent over HTTP: RFC 9457 problems with stable codes.

use holdpoint_core::{Class, Decision, FieldError, Refusal};
use holdpoint_store as store;
use serde::{Deserialize, Serialize};

use crate::auth::LinkError;
use crate::error::Error;

/// An error as a server sends it and a client reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Names the kind of problem.
    pub r#type: String,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What programs match on.
    pub code: String,
    /// What is wrong here.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What is wrong, field by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// The current decision, if it is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Box<Decision>>,
    /// The decisions that could be meant, where several could.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Decision>,
}

impl Problem {
    /// Makes a problem.
    pub fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self {
            r#type: format!("urn:holdpoint:problem:{code}"),
            title: code.replace('_', " "),
            status,
            code: code.into(),
            detail: detail.into(),
            hint: None,
            errors: Vec::new(),
            decision: None,
            candidates: Vec::new(),
        }
    }

    /// Adds a hint on what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.class() {
            Class::Invalid => 422,
            Class::NotFound => 404,
            Class::Conflict => 409,
            Class::Unconditional => 428,
            Class::Forbidden => 403,
            Class::TooMany => 429,
        };
        let mut problem = Self::new(status, refusal.code(), refusal.to_string());
        problem.hint = refusal.hint();
        match refusal {
            Refusal::Invalid(faults) => problem.errors = faults,
            Refusal::Settled(mut decision) => {
                decision.conceal();
                // The receiver may be the asker.
                decision.keep_from_programs();
                problem.decision = Some(decision);
            }
            _ => {}
        }
        problem
    }
}

/// The hint if a name is not unique.
const NAME_BY_ID: &str = "name it by its id";

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::NotFound(_) => Self::new(404, "not_found", detail),
            Error::Ambiguous { candidates, .. } => {
                let mut candidates = candidates;
                candidates.iter_mut().for_each(Decision::conceal);
                Self { candidates, ..Self::new(404, "ambiguous", detail) }
            }
            Error::SeveralRuns { candidates, .. } => {
                let lines: Vec<String> =
                    candidates.iter().map(|(id, title)| format!("{id}  {title}")).collect();
                Self::new(404, "ambiguous", format!("{detail}; give more of the id")).hint(lines.join("\n"))
            }
            Error::SeveralJobs(_) => Self::new(404, "ambiguous", detail).hint(NAME_BY_ID),
            Error::Link(fault) => {
                let status = if fault == LinkError::Invalid { 404 } else { 410 };
                Self::new(status, fault.code(), detail).hint("sign in, or ask for a new link")
            }
            Error::Session(_) => Self::new(409, "session", detail),
            Error::Removed(_) => Self::new(410, "removed", detail),
            Error::Remote(problem) => *problem,
            Error::Store(error) => match error {
                store::Error::Refused(refusal) => refusal.into(),
                store::Error::Unavailable(_) | store::Error::Unreachable(_) => {
                    Self::new(503, "unavailable", detail)
                }
                store::Error::Full(_) => Self::new(507, "full", detail),
                store::Error::Gone(_) => Self::new(503, "store_gone", detail),
                store::Error::ReadOnly(_) | store::Error::TooNew { .. } | store::Error::Unsuitable(_) => {
                    Self::new(503, "store", detail)
                }
                store::Error::Corrupt(_) => Self::new(500, "corrupt", detail),
            },
            #[cfg(feature = "runs")]
            Error::Git(fault) => match fault.kind {
                crate::git::Kind::Unfit => Self::new(422, "invalid", detail),
                crate::git::Kind::Conflict | crate::git::Kind::Taken => Self::new(409, "conflict", detail),
                crate::git::Kind::Busy => Self::new(503, "unavailable", detail),
                crate::git::Kind::Broken => Self::new(409, "repository", detail),
            },
            // Details of the server's own files are for its log, not for callers.
            Error::Settings(_) | Error::Io { .. } | Error::Unreachable(_) => {
                tracing::error!("{detail}");
                Self::new(500, "internal", "the server could not do this; its log says why")
            }
        }
    }
}
