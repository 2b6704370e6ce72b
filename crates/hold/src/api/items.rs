//! Work items over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::{Item, Project};
use holdpoint_engine::Client as _;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::problem::Answer;
use super::query::Query;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    project: Option<String>,
}

/// What is sent to make an item known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewItem {
    id: String,
    project: Option<String>,
    title: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Items {
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
pub(super) struct Deleted {
    removed: usize,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answer<Json<Items>> {
    if let Some(project) = &asked.project {
        caller.may_use_project(project)?;
    }
    let items = caller.client(&app).items(asked.project.as_deref()).await?;
    Ok(Json(Items { items }))
}

pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewItem>,
) -> Answer<(StatusCode, Json<Item>)> {
    let project = new.project.as_deref().unwrap_or(Project::DEFAULT);
    let item = caller.client(&app).create_item(project, &new.id, new.title).await?;
    Ok((StatusCode::CREATED, Json(item)))
}

pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Answer<Json<Deleted>> {
    let project = asked.project.as_deref().unwrap_or(Project::DEFAULT);
    let removed = caller.client(&app).delete_item(project, &id).await?;
    Ok(Json(Deleted { removed }))
}
