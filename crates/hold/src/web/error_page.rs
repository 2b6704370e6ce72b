//! The page that explains an error, with the right status.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use holdpoint_core::text::inert_line;
use holdpoint_engine::Problem;
use maud::html;

use super::error::PageError;
use super::page::{NavItem, Page, see_other};
use super::sign_in;

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
            p { a .button href="/" { "Back to inbox" } }
        }
    };
    Page { title, nav: NavItem::Elsewhere, visitor: None, seq: None }.send(status, &main)
}
