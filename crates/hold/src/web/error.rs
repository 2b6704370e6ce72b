//! Errors of pages.

use axum::response::Response;
use holdpoint_core::Refusal;
use holdpoint_engine::{Error, Problem};

/// Why a page is not shown.
#[derive(Debug)]
pub(super) enum PageError {
    /// The visitor is unknown, and is sent to sign in and then back.
    SignIn {
        /// The address they wanted.
        next: String,
        /// Their input, as it was sent.
        kept: Option<String>,
    },
    /// The request failed.
    Problem(Box<Problem>),
}

/// The result of a page's handler.
pub(super) type Reply = Result<Response, PageError>;

impl PageError {
    pub(super) fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self::Problem(Box::new(Problem::new(status, code, detail)))
    }
}

impl From<crate::http::problem::HandlerError> for PageError {
    fn from(failed: crate::http::problem::HandlerError) -> Self {
        Self::Problem(failed.0)
    }
}

impl From<Error> for PageError {
    fn from(error: Error) -> Self {
        Self::Problem(Box::new(error.into()))
    }
}

impl From<holdpoint_store::Error> for PageError {
    fn from(error: holdpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Refusal> for PageError {
    fn from(refusal: Refusal) -> Self {
        Self::Problem(Box::new(refusal.into()))
    }
}
