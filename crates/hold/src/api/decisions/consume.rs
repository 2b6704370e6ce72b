//! `POST /v1/decisions/{id}/consume`

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use holdpoint_core::{Auth, Decision};
use holdpoint_engine::Client as _;
use serde::Deserialize;
use serde_json::Value;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;

/// What is sent to use an approval.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Consume {
    subject: Value,
    #[serde(default)]
    min: Option<Auth>,
}

pub(in crate::api) async fn consume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(consume): Body<Consume>,
) -> Answer<Json<Decision>> {
    let client = caller.client(&app);
    let decision = client.get(&id).await?;
    Ok(Json(client.consume(decision.id, consume.subject, consume.min).await?))
}
