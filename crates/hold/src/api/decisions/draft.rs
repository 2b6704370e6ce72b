//! `PUT /v1/decisions/{id}/draft`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{Decision, Values};
use holdpoint_engine::Client as _;
use serde::Deserialize;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// What is sent to keep values for the person who finishes the answer.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Draft {
    /// The values, by field id.
    #[schema(value_type = Object)]
    values: Values,
}

/// Keeps values for the person who finishes the answer.
#[utoipa::path(
    put,
    path = "/v1/decisions/{id}/draft",
    operation_id = "draftDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = Draft,
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn draft(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(draft): Body<Draft>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Json(caller.client(&app).draft(id, draft.values).await?))
}
