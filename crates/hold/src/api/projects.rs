//! Projects over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use holdpoint_core::{Project, Span};
use holdpoint_engine::Client as _;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::problem::Answer;

#[derive(Debug, Serialize)]
pub(super) struct Projects {
    items: Vec<Project>,
}

/// What can be set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    min_timeout: Span,
}

pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Projects>> {
    Ok(Json(Projects { items: caller.client(&app).projects().await? }))
}

pub(super) async fn update(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path<String>,
    Body(settings): Body<Settings>,
) -> Answer<Json<Project>> {
    Ok(Json(caller.client(&app).update_project(&name, settings.min_timeout).await?))
}
