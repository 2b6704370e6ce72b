//! The address of a button in a push message: a request to it gives one answer, and returns the outcome in a line.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::Status;
use holdpoint_engine::Problem;
use holdpoint_protocols::channel::outcome;

use super::visitor::links;
use crate::http::app::App;

/// Gives the answer. Fetching the address with GET does nothing.
pub(super) async fn take(State(app): State<Arc<App>>, Path(text): Path<String>) -> Response {
    let links = match links(&app) {
        Ok(links) => links,
        Err(error) => return error.into_response(),
    };
    match app.engine.take_by_link(links, &text).await {
        Ok(taken) => {
            if !taken.replayed && taken.decision.status != Status::Pending {
                app.metrics.settled(&taken.decision);
            }
            line(StatusCode::OK, &outcome(&taken.decision))
        }
        Err(error) => {
            let problem = Problem::from(error);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            line(status, &format!("{}. Nothing was sent.", problem.detail))
        }
    }
}

fn line(status: StatusCode, text: &str) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, format!("{text}\n")).into_response()
}
