//! What is done to runs.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::run::Usage;
use holdpoint_engine::Runs as _;
use holdpoint_engine::run::{FinishRun, ImportRuns, NewComment, NewEvidence, ShownRun, StartRun};
use serde::Deserialize;
use serde_json::Value;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// What is sent to propose a change.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RunPatch)]
pub(in crate::api) struct Proposed {
    /// The diff, as git writes it.
    diff: String,
    /// Why it is right.
    #[serde(default)]
    rationale: Option<String>,
}

/// What is sent to bring runs of others here.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RunImport)]
pub(in crate::api) struct Import {
    /// The repository.
    #[schema(value_type = String)]
    repo: PathBuf,
    /// The ref that holds them; `refs/libra/intent` if none.
    #[serde(default, rename = "ref")]
    name: Option<String>,
    /// Where they belong from now on.
    #[serde(default)]
    project: Option<String>,
}

/// Begins a run on a repository of the server's machine: one that the settings name, unless an admin asks, or someone on
/// that machine.
#[utoipa::path(
    post,
    path = "/v1/runs",
    operation_id = "startRun",
    tag = "runs",
    request_body = StartRun,
    responses((status = 201, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn start(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(start): Body<StartRun>,
) -> Answer<(StatusCode, Json<ShownRun>)> {
    Ok((StatusCode::CREATED, Json(caller.client(&app).start_run(start).await?)))
}

/// Proposes a change: a diff against the commit that the run starts from.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/patch",
    operation_id = "patchRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = Proposed,
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn patch(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(Proposed { diff, rationale }): Body<Proposed>,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).patch_run(&id, diff.into_bytes(), rationale).await?))
}

/// Adds what a tool found. The caller has run it.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/evidence",
    operation_id = "addEvidence",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = NewEvidence,
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn evidence(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(new): Body<NewEvidence>,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).add_evidence(&id, new, None).await?))
}

/// Adds to what the run used up.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/usage",
    operation_id = "addUsage",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = Usage,
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn usage(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(usage): Body<Usage>,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).use_in_run(&id, usage).await?))
}

/// Keeps an object with the run: a plan, a tool call, context, what a model was set to. Returns it as it is kept.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/objects",
    operation_id = "recordObject",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = Object,
    responses((status = 200, description = "The object, as it is kept", body = Object))
)]
pub(in crate::api) async fn record(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(object): Body<Value>,
) -> Answer<Json<Value>> {
    Ok(Json(caller.client(&app).record_in_run(&id, object).await?))
}

/// Says something about a line of a patch set. What was said goes with the guidance when the run is tried again.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/comments",
    operation_id = "commentRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = NewComment,
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn comment(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(new): Body<NewComment>,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).comment_run(&id, new).await?))
}

/// Ends the work, and asks for the verdict; or gives it, where the project allows that.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/finish",
    operation_id = "finishRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    request_body = FinishRun,
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn finish(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(finish): Body<FinishRun>,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).finish_run(&id, finish).await?))
}

/// Begins a run that goes on from the checkpoint that this one saved.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/resume",
    operation_id = "resumeRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn resume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).resume_run(&id).await?))
}

/// Begins a run that takes back what this one committed, and asks for its verdict.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/rollback",
    operation_id = "rollbackRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn rollback(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).rollback_run(&id).await?))
}

/// Carries out the verdict that was given on the run, now, if the process that should have done so has not. Where it
/// cannot be done, the run that is returned says what it is asked again and why.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/carry",
    operation_id = "carryRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn carry(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).carry_run(&id).await?))
}

/// Writes all attempts at the run's task to its repository, for others to read.
#[utoipa::path(
    post,
    path = "/v1/runs/{id}/export",
    operation_id = "exportRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "What was written, and where", body = Object))
)]
pub(in crate::api) async fn export(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Value>> {
    Ok(Json(caller.client(&app).export_run(&id).await?))
}

/// Brings runs here that others wrote to a repository, all or none. Only an admin, or someone on the server's machine, may.
#[utoipa::path(
    post,
    path = "/v1/imports",
    operation_id = "importRuns",
    tag = "runs",
    request_body = Import,
    responses((status = 200, description = "What was taken over", body = Object))
)]
pub(in crate::api) async fn import(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(Import { repo, name, project }): Body<Import>,
) -> Answer<Json<Value>> {
    Ok(Json(caller.client(&app).import_runs(ImportRuns { project, repo, name }).await?))
}
