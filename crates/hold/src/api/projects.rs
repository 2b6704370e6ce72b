//! Projects over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{Project, ProjectChange};
use holdpoint_engine::Client as _;
use serde::Serialize;

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
    request_body = ProjectChange,
    responses((status = 200, description = "The project", body = Project))
)]
pub(super) async fn update(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Body(change): Body<ProjectChange>,
) -> Answer<Json<Project>> {
    Ok(Json(caller.client(&app).update_project(&name, change).await?))
}
