//! `POST /v1/decisions/{id}/consume`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::decision::Requirements;
use holdpoint_core::{Auth, Decision};
use holdpoint_engine::Client as _;
use serde::Deserialize;
use serde_json::Value;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// What is sent to use an approval.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Consume {
    /// What is about to be done.
    subject: Value,
    /// The least assurance that will do.
    #[serde(default)]
    min: Option<Auth>,
    /// Whether the answer must say that the whole subject was seen.
    #[serde(default)]
    seen: bool,
}

/// Uses an approval: once, and only for exactly what was approved.
#[utoipa::path(
    post,
    path = "/v1/decisions/{id}/consume",
    operation_id = "consumeDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = Consume,
    responses((status = 200, description = "The decision as it stands now", body = Decision))
)]
pub(in crate::api) async fn consume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(consume): Body<Consume>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    let required = Requirements { min: consume.min, seen: consume.seen };
    Ok(Json(caller.client(&app).consume(id, consume.subject, required).await?))
}
