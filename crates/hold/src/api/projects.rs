//! Projects over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{Project, Span};
use holdpoint_engine::Client as _;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;

/// Projects.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Projects {
    items: Vec<Project>,
}

/// What can be set.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProjectSettings)]
pub(super) struct Settings {
    /// The shortest time after which an agent's default may be taken.
    min_timeout: Span,
}

/// Lists projects.
#[utoipa::path(
    get,
    path = "/v1/projects",
    operation_id = "listProjects",
    tag = "projects",
    responses((status = 200, description = "Projects", body = Projects))
)]
pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Projects>> {
    Ok(Json(Projects { items: caller.client(&app).projects().await? }))
}

/// Changes a project's settings.
#[utoipa::path(
    put,
    path = "/v1/projects/{name}",
    operation_id = "updateProject",
    tag = "projects",
    params(("name" = String, Path, description = "The name")),
    request_body = Settings,
    responses((status = 200, description = "The project", body = Project))
)]
pub(super) async fn update(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Body(settings): Body<Settings>,
) -> Answer<Json<Project>> {
    Ok(Json(caller.client(&app).update_project(&name, settings.min_timeout).await?))
}
