//! Work items over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::{Item, Project};
use holdpoint_engine::Client as _;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// The project.
    project: Option<String>,
}

/// What is sent to make an item known.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewItem {
    /// Its name.
    id: String,
    /// Where it belongs; `default` if not given.
    project: Option<String>,
    /// What it is about.
    title: Option<String>,
}

/// Work items.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = WorkItems)]
pub(super) struct Items {
    items: Vec<Item>,
}

/// What was deleted with an item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Deleted {
    removed: usize,
}

/// Lists work items.
#[utoipa::path(
    get,
    path = "/v1/items",
    operation_id = "listItems",
    tag = "items",
    params(ListParams),
    responses((status = 200, description = "Work items", body = Items))
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Items>> {
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    let items = caller.client(&app).items(params.project.as_deref()).await?;
    Ok(Json(Items { items }))
}

/// Makes a work item known.
#[utoipa::path(
    post,
    path = "/v1/items",
    operation_id = "createItem",
    tag = "items",
    request_body = NewItem,
    responses((status = 201, description = "The item", body = Item))
)]
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewItem>,
) -> Answer<(StatusCode, Json<Item>)> {
    let project = new.project.as_deref().unwrap_or(Project::DEFAULT);
    let item = caller.client(&app).create_item(project, &new.id, new.title).await?;
    Ok((StatusCode::CREATED, Json(item)))
}

/// Deletes a work item and all decisions on it.
#[utoipa::path(
    delete,
    path = "/v1/items/{id}",
    operation_id = "deleteItem",
    tag = "items",
    params(ListParams, ("id" = String, Path, description = "The item")),
    responses((status = 200, description = "How many decisions went with it", body = Deleted))
)]
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<ListParams>,
) -> Answer<Json<Deleted>> {
    let project = params.project.as_deref().unwrap_or(Project::DEFAULT);
    let removed = caller.client(&app).delete_item(project, &id).await?;
    Ok(Json(Deleted { removed }))
}
