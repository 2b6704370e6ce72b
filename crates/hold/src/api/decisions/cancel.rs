//! `POST /v1/decisions/{id}/cancel`

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use holdpoint_core::Decision;
use holdpoint_engine::Client as _;
use serde::Deserialize;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;

/// What is sent to take a question back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Cancel {
    #[serde(default)]
    reason: Option<String>,
}

pub(in crate::api) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(cancel): Body<Cancel>,
) -> Answer<Json<Decision>> {
    let client = caller.client(&app);
    let decision = client.get(&id).await?;
    let cancelled = client.cancel(decision.id, cancel.reason).await?;
    app.metrics.settled(&cancelled);
    Ok(Json(cancelled))
}
