//! When a page cannot be shown: why, in words, with the right status.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use holdpoint_core::Refusal;
use holdpoint_core::text::inert_line;
use holdpoint_engine::{Error, Problem};
use maud::html;

use super::page::{NavItem, Page, see_other};
use super::sign_in;

/// Why a page is not shown.
#[derive(Debug)]
pub(super) enum PageError {
    /// It is not known who asks; they are sent to sign in and then back.
    SignIn {
        /// Where they wanted to go.
        next: String,
        /// What they had typed, as it was sent.
        kept: Option<String>,
    },
    /// It cannot be done.
    Problem(Box<Problem>),
}

/// What pages return.
pub(super) type Reply = Result<Response, PageError>;

impl PageError {
    pub(super) fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self::Problem(Box::new(Problem::new(status, code, detail)))
    }
}

impl From<crate::api::Failed> for PageError {
    fn from(failed: crate::api::Failed) -> Self {
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

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        match self {
            Self::SignIn { next, kept: None } => see_other(&sign_in::address(&next)),
            Self::SignIn { next, kept: Some(kept) } => sign_in::over(&next, &kept),
            Self::Problem(problem) => page(&problem),
        }
    }
}

fn page(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let title = match problem.status {
        403 => "Not allowed",
        404 => "Not found",
        410 => "This link is no longer valid",
        413 => "Too large",
        _ => "Something went wrong",
    };
    let main = html! {
        div .narrow {
            h1 { (title) }
            p .wrap dir="auto" { (inert_line(&problem.detail)) "." }
            @if !problem.candidates.is_empty() {
                ul { @for one in &problem.candidates { li { a href={ "/d/" (one.id) } { (one.id) } } } }
            }
            p { a .button href="/" { "To the inbox" } }
        }
    };
    Page { title, nav: NavItem::Elsewhere, visitor: None, seq: None }.send(status, &main)
}
