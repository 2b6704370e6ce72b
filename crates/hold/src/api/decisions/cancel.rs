//! `POST /v1/decisions/{id}/cancel`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::Decision;
use serde::Deserialize;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// What is sent to take a question back.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Cancel {
    /// Why.
    #[serde(default)]
    reason: Option<String>,
    /// Who takes it back; counts only where no credential says who it is.
    #[serde(default)]
    by: Option<String>,
}

/// Takes a question back.
#[utoipa::path(
    post,
    path = "/v1/decisions/{id}/cancel",
    operation_id = "cancelDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = Cancel,
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(cancel): Body<Cancel>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    let cancelled = caller.client(&app).cancel_as(id, cancel.reason, cancel.by).await?;
    app.metrics.settled(&cancelled);
    Ok(Json(cancelled))
}
