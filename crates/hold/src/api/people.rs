//! Policies and groups over HTTP: who must decide what.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::people::{Group, GroupChange, NewPolicy, Policy};
use holdpoint_engine::People as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// Which policies are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// In which project; all if not given.
    project: Option<String>,
}

/// Policies.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Policies {
    /// The oldest first.
    items: Vec<Policy>,
}

/// Groups.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Groups {
    /// By name.
    items: Vec<Group>,
}

/// Makes a policy: what a project demands of some of its decisions. For admins.
#[utoipa::path(
    post,
    path = "/v1/policies",
    operation_id = "addPolicy",
    tag = "people",
    request_body = NewPolicy,
    responses((status = 201, description = "The policy", body = Policy))
)]
pub(super) async fn add_policy(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewPolicy>,
) -> Answer<(StatusCode, Json<Policy>)> {
    Ok((StatusCode::CREATED, Json(caller.client(&app).add_policy(new).await?)))
}

/// Lists policies.
#[utoipa::path(
    get,
    path = "/v1/policies",
    operation_id = "listPolicies",
    tag = "people",
    params(ListParams),
    responses((status = 200, description = "The policies", body = Policies))
)]
pub(super) async fn policies(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Policies>> {
    Ok(Json(Policies { items: caller.client(&app).policies(params.project.as_deref()).await? }))
}

/// Ends a policy. What was asked under it keeps its needs. For admins.
#[utoipa::path(
    delete,
    path = "/v1/policies/{id}",
    operation_id = "removePolicy",
    tag = "people",
    params(("id" = String, Path, description = "The policy, or a unique start of its id")),
    responses((status = 200, description = "The policy that was", body = Policy))
)]
pub(super) async fn remove_policy(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Policy>> {
    Ok(Json(caller.client(&app).remove_policy(&id).await?))
}

/// Lists groups.
#[utoipa::path(
    get,
    path = "/v1/groups",
    operation_id = "listGroups",
    tag = "people",
    responses((status = 200, description = "The groups", body = Groups))
)]
pub(super) async fn groups(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Groups>> {
    Ok(Json(Groups { items: caller.client(&app).groups().await? }))
}

/// Adds people to a group or takes them out; a group begins with its first member. For admins of all projects.
#[utoipa::path(
    patch,
    path = "/v1/groups/{name}",
    operation_id = "changeGroup",
    tag = "people",
    params(("name" = String, Path, description = "The name")),
    request_body = GroupChange,
    responses((status = 200, description = "The group", body = Group))
)]
pub(super) async fn change_group(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Body(change): Body<GroupChange>,
) -> Answer<Json<Group>> {
    Ok(Json(caller.client(&app).change_group(&name, change).await?))
}

/// Ends a group. Votes that counted for it still do. For admins of all projects.
#[utoipa::path(
    delete,
    path = "/v1/groups/{name}",
    operation_id = "removeGroup",
    tag = "people",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "It is gone"))
)]
pub(super) async fn remove_group(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
) -> Answer<Json<Value>> {
    caller.client(&app).remove_group(&name).await?;
    Ok(Json(json!({})))
}
