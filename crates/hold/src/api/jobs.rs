//! Jobs over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use holdpoint_core::{Job, JobStatus, Refusal};
use holdpoint_engine::Jobs as _;
use holdpoint_engine::jobs::{DeletedJob, StartJob, Steer};
use holdpoint_engine::run::ShownRun;
use holdpoint_engine::sessions::Screen;
use holdpoint_engine::store::JobQuery;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// How many bytes of a log are sent at most.
const MOST_LOG: u64 = 8 << 20;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only those of this project.
    project: Option<String>,
    /// Only those with this status: names with commas, `active`, `open` (those and the suspended ones), or `all`.
    status: Option<String>,
    /// At most how many, up to 1000.
    limit: Option<usize>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Tail {
    /// At most how many bytes, from the end.
    bytes: Option<u64>,
    /// Of which visit in the job's `history`; the last if not given.
    visit: Option<u32>,
}

/// What is sent to let a job go on.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Resume {
    /// Message to the agent.
    message: Option<String>,
    /// Whether its step starts over.
    restart: bool,
}

/// What is sent to end a job.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Cancel {
    /// Why.
    message: Option<String>,
}

/// Jobs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = JobList)]
pub(super) struct Items {
    #[schema(value_type = Vec<Object>)]
    items: Vec<Value>,
}

/// Lists jobs and crews, newest first.
#[utoipa::path(
    get,
    path = "/v1/jobs",
    operation_id = "listJobs",
    tag = "jobs",
    params(ListParams),
    responses((status = 200, description = "Jobs", body = Items))
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Items>> {
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    let query = JobQuery {
        project: params.project,
        statuses: statuses(params.status.as_deref().unwrap_or("all"))?,
        limit: params.limit.unwrap_or(100).clamp(1, 1000),
        ..JobQuery::default()
    };
    let jobs = caller.client(&app).jobs(&query).await?;
    Ok(Json(Items { items: jobs.iter().map(shown).collect() }))
}

/// Reads which statuses are meant.
pub(crate) fn statuses(text: &str) -> Result<Vec<JobStatus>, Refusal> {
    match text {
        "all" => Ok(Vec::new()),
        "active" => Ok(JobStatus::ALL.into_iter().filter(|status| status.is_active()).collect()),
        "open" => {
            let open = |status: &JobStatus| status.is_active() || *status == JobStatus::Suspended;
            Ok(JobStatus::ALL.into_iter().filter(open).collect())
        }
        names => {
            let wrong = |name: &str| {
                let known: Vec<&str> = JobStatus::ALL.iter().map(|status| status.name()).collect();
                let name = holdpoint_core::text::quote(name);
                Refusal::invalid(
                    "status",
                    format!("{name} is none of: open, active, all, {}", known.join(", ")),
                )
            };
            names
                .split(',')
                .map(|name| JobStatus::from_name(name.trim()).ok_or_else(|| wrong(name)))
                .collect()
        }
    }
}

/// Starts a job, or an agent without one. A runbook is a program: only an admin, or someone on the server's machine,
/// may.
#[utoipa::path(
    post,
    path = "/v1/jobs",
    operation_id = "startJob",
    tag = "jobs",
    request_body = StartJob,
    responses((status = 201, description = "The job", body = Object))
)]
pub(super) async fn start(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(start): Body<StartJob>,
) -> Answer<(StatusCode, Json<Value>)> {
    let job = caller.client(&app).start_job(start).await?;
    Ok((StatusCode::CREATED, Json(shown(&job))))
}

/// Returns a job.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}",
    operation_id = "getJob",
    tag = "jobs",
    params(("id" = String, Path, description = "The job, or a unique start of its id")),
    responses((status = 200, description = "The job", body = Object))
)]
pub(super) async fn get(State(app): State<Arc<App>>, caller: Caller, Path(id): Path) -> Answer<Json<Value>> {
    Ok(Json(shown(&caller.client(&app).job(&id).await?)))
}

/// Lets a job go on: its agent is told so, or its step starts over.
#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/resume",
    operation_id = "resumeJob",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    request_body = Resume,
    responses((status = 200, description = "The job", body = Object))
)]
pub(super) async fn resume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(Resume { message, restart }): Body<Resume>,
) -> Answer<Json<Value>> {
    steer(&app, &caller, &id, Steer::Resume { message, restart }).await
}

/// Ends a job.
#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/cancel",
    operation_id = "cancelJob",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    request_body = Cancel,
    responses((status = 200, description = "The job", body = Object))
)]
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(Cancel { message }): Body<Cancel>,
) -> Answer<Json<Value>> {
    steer(&app, &caller, &id, Steer::Cancel { message }).await
}

/// Puts a job aside; it can go on later.
#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/suspend",
    operation_id = "suspendJob",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, description = "The job", body = Object))
)]
pub(super) async fn suspend(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Value>> {
    steer(&app, &caller, &id, Steer::Suspend).await
}

/// Forgets a job that has ended, and all its decisions.
#[utoipa::path(
    delete,
    path = "/v1/jobs/{id}",
    operation_id = "deleteJob",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, description = "It is gone, and which of its worktrees stay: those that hold what is committed nowhere", body = DeletedJob))
)]
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<DeletedJob>> {
    Ok(Json(caller.client(&app).delete_job(&id).await?))
}

/// Returns the run that a job is now, or was last; null if it is none, or has not begun.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/run",
    operation_id = "jobRun",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, description = "The run", body = Option<ShownRun>))
)]
pub(super) async fn run(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Option<ShownRun>>> {
    Ok(Json(caller.client(&app).job_run(&id).await?))
}

/// Returns what the terminal of a job's step shows, or showed last.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/screen",
    operation_id = "jobScreen",
    tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, description = "The screen", body = Object))
)]
pub(super) async fn screen(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Screen>> {
    Ok(Json(caller.client(&app).job_screen(&id).await?))
}

/// Returns the end of what a job's step wrote to its terminal, as it was written.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/log",
    operation_id = "jobLog",
    tag = "jobs",
    params(Tail, ("id" = String, Path, description = "The job")),
    responses((status = 200, description = "Bytes as the terminal got them", content_type = "application/octet-stream"))
)]
pub(super) async fn log(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(tail): Query<Tail>,
) -> Answer<impl IntoResponse> {
    let bytes = tail.bytes.unwrap_or(64 << 10).min(MOST_LOG);
    let log = caller.client(&app).job_log(&id, tail.visit, bytes).await?;
    // Never shown as a page: it may hold anything.
    Ok((
        [(header::CONTENT_TYPE, "application/octet-stream"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")],
        log,
    ))
}

async fn steer(app: &App, caller: &Caller, id: &str, steer: Steer) -> Answer<Json<Value>> {
    let job = caller.client(app).steer_job(id, steer).await?;
    Ok(Json(shown(&job)))
}

/// Returns a job as it is sent: without the runbook it was made from.
pub(crate) fn shown(job: &Job) -> Value {
    let mut value = serde_json::to_value(job).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        map.remove("runbook");
    }
    value
}
