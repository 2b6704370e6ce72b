//! How much of an id suffices to name it, for whoever prints lists.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::DecisionId;
use serde::Deserialize;

use super::App;
use super::caller::Caller;
use super::problem::{Answer, Failed};
use super::query::Query;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    ids: String,
}

pub(super) async fn lengths(
    State(app): State<Arc<App>>,
    _: Caller,
    Query(asked): Query<Asked>,
) -> Answer<Json<Vec<usize>>> {
    let ids: Result<Vec<DecisionId>, String> =
        asked.ids.split(',').filter(|id| !id.is_empty()).take(1000).map(str::parse).collect();
    let ids = ids.map_err(|why| Failed::new(422, "invalid", why))?;
    Ok(Json(app.engine.store().prefix_lengths(&ids).await?))
}
