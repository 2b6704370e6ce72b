//! Notices that were not delivered, over HTTP; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_engine::{Client as _, Undelivered};
use holdpoint_store::ParcelState;
use serde::{Deserialize, Serialize};

use super::App;
use super::caller::Caller;
use super::problem::Answer;
use super::query::Query;

/// How many are listed unless asked otherwise, and at most.
const LISTED: (usize, usize) = (100, 1000);

/// Which are wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    state: Option<ParcelState>,
    limit: Option<usize>,
}

/// A list of them.
#[derive(Debug, Serialize)]
pub(super) struct Items {
    items: Vec<Undelivered>,
}

/// What is sent again.
#[derive(Debug, Serialize)]
pub(super) struct Resent {
    id: i64,
    state: ParcelState,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answer<Json<Items>> {
    let limit = asked.limit.unwrap_or(LISTED.0).min(LISTED.1);
    Ok(Json(Items { items: caller.client(&app).outbox(asked.state, limit).await? }))
}

pub(super) async fn resend(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Answer<(StatusCode, Json<Resent>)> {
    let missing = || holdpoint_core::Refusal::NotFound { what: "outbox row", id: id.clone() };
    // Who may not look is told so before what there is.
    caller.0.administers()?;
    let id = id.parse().map_err(|_| missing())?;
    caller.client(&app).resend(id).await?;
    Ok((StatusCode::ACCEPTED, Json(Resent { id, state: ParcelState::Queued })))
}
