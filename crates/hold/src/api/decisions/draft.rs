//! `PUT /v1/decisions/{id}/draft`

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use holdpoint_core::{Decision, Values};
use holdpoint_engine::Client as _;
use serde::Deserialize;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;

/// What is sent to keep values for whoever finishes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Draft {
    values: Values,
}

pub(in crate::api) async fn draft(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(draft): Body<Draft>,
) -> Answer<Json<Decision>> {
    let client = caller.client(&app);
    let decision = client.get(&id).await?;
    Ok(Json(client.draft(decision.id, draft.values).await?))
}
