//! `PATCH /v1/decisions/{id}`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_core::decision::Revision;
use holdpoint_engine::Client as _;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// Changes what is asked; only the asker may.
#[utoipa::path(
    patch,
    path = "/v1/decisions/{id}",
    operation_id = "reviseDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = Revision,
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn revise(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(revision): Body<Revision>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Json(caller.client(&app).revise(id, revision).await?))
}
