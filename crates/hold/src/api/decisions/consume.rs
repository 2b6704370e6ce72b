//! `POST /v1/decisions/{id}/consume`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::decision::Requirements;
use holdpoint_core::{Auth, Decision};
use holdpoint_engine::Client as _;
use serde::Deserialize;
use serde_json::Value;

use super::create::read_key;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;
use crate::api::{App, REPLAYED};

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
    params(
        ("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`"),
        ("Idempotency-Key" = Option<String>, Header, description = "The same request under this key is told again that the approval is its own; kept for 7 days, scoped to decision and credential"),
    ),
    request_body = Consume,
    responses((status = 200, description = "The decision as it is now", body = Decision,
        headers(("Idempotent-Replayed" = Option<String>, description = "`true` where it was consumed before under this key"))))
)]
pub(in crate::api) async fn consume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    headers: HeaderMap,
    Body(consume): Body<Consume>,
) -> Answer<Response> {
    let key = read_key(&headers)?;
    let id = caller.names(&app, &id).await?;
    let required = Requirements { min: consume.min, seen: consume.seen };
    let consumed = caller.client(&app).consume(id, consume.subject, required, key).await?;
    let mut response = Json(consumed.decision).into_response();
    if consumed.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
