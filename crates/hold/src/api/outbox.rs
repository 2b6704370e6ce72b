//! Notices that were not delivered, over HTTP; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::Refusal;
use holdpoint_engine::{Client as _, Undelivered};
use holdpoint_store::OutboxState;
use serde::{Deserialize, Serialize};

use super::App;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// How many are listed unless asked otherwise, and at most.
const LISTED: (usize, usize) = (100, 1000);

/// Which are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only those that wait, or only those that were given up.
    #[param(inline)]
    state: Option<OutboxState>,
    /// At most this many; 100 if not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// A list of them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Outbox)]
pub(super) struct Items {
    /// The rows, oldest first.
    items: Vec<Undelivered>,
}

/// What is sent again.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Resent {
    /// The row.
    id: i64,
    /// Where it stands now.
    state: OutboxState,
}

/// Lists notices that were not delivered: what waits, and what was given up.
#[utoipa::path(
    get,
    path = "/v1/outbox",
    operation_id = "listOutbox",
    tag = "outbox",
    params(ListParams),
    responses((status = 200, description = "Notices that were not delivered", body = Items))
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Items>> {
    let limit = params.limit.unwrap_or(LISTED.0);
    if !(1..=LISTED.1).contains(&limit) {
        return Err(Refusal::invalid("limit", format!("must be from 1 to {}", LISTED.1)).into());
    }
    Ok(Json(Items { items: caller.client(&app).outbox(params.state, limit).await? }))
}

/// Has a notice sent again, for an hour from now.
#[utoipa::path(
    post,
    path = "/v1/outbox/{id}/resend",
    operation_id = "resend",
    tag = "outbox",
    params(("id" = String, Path, description = "The row")),
    responses((status = 202, description = "It waits to be sent", body = Resent))
)]
pub(super) async fn resend(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<(StatusCode, Json<Resent>)> {
    let missing = || Refusal::NotFound { what: "outbox row", id: id.clone() };
    // A caller who may not look is told so before what there is.
    caller.0.administers()?;
    let id = id.parse().map_err(|_| missing())?;
    caller.client(&app).resend(id).await?;
    Ok((StatusCode::ACCEPTED, Json(Resent { id, state: OutboxState::Queued })))
}
