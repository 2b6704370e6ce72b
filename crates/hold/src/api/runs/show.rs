//! What there is to see of runs.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use holdpoint_core::run::ObjectId;
use holdpoint_core::{Refusal, Span};
use holdpoint_engine::Runs as _;
use holdpoint_engine::run::{RunLog, RunPart, ShownRun};
use holdpoint_engine::store::{Order, RunQuery};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::api::App;
use crate::api::caller::{Caller, ENDED, unknown};
use crate::api::path::Path;
use crate::api::problem::Answer;
use crate::api::query::{self, Query};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct ListParams {
    /// Only those of this project.
    project: Option<String>,
    /// Only attempts at this task.
    task: Option<String>,
    /// `newest_first` or `oldest_first`.
    order: Option<String>,
    /// At most how many, up to 1000.
    limit: Option<usize>,
    /// Where the page before ended.
    cursor: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct DiffParams {
    /// Which patch set, from 1; the last if none.
    #[param(value_type = Option<usize>, minimum = 1)]
    patchset: Option<NonZeroUsize>,
    /// What it is compared with instead of its base: a run's id, and after a colon the number of one of its patch sets.
    against: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct WaitParams {
    /// How long to hold, at most 5m; 30s if not given.
    #[param(inline)]
    timeout: Option<Span>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct EvidenceParams {
    /// Which piece of evidence, from 1.
    evidence: usize,
}

/// A page of runs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = RunList)]
pub(in crate::api) struct Page {
    items: Vec<ShownRun>,
    /// The cursor of the next page, if there is one.
    next: Option<String>,
}

/// Objects of a run.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = RunObjects)]
pub(in crate::api) struct Objects {
    #[schema(value_type = Vec<Object>)]
    items: Vec<Box<RawValue>>,
}

/// Lists runs, newest first. What a page costs does not depend on how many there are.
#[utoipa::path(
    get,
    path = "/v1/runs",
    operation_id = "listRuns",
    tag = "runs",
    params(ListParams),
    responses((status = 200, description = "A page of runs", body = Page))
)]
pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Page>> {
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    let read = |place: &str, id: Option<String>| -> Result<Option<ObjectId>, Refusal> {
        id.map(|id| id.parse().map_err(|why: String| Refusal::invalid(place, why))).transpose()
    };
    let order = match params.order.as_deref() {
        None | Some("newest_first") => Order::NewestFirst,
        Some("oldest_first") => Order::OldestFirst,
        Some(_) => return Err(Refusal::invalid("order", "must be newest_first or oldest_first").into()),
    };
    let limit = params.limit.unwrap_or(100);
    if !(1..=1000).contains(&limit) {
        return Err(Refusal::invalid("limit", "must be from 1 to 1000").into());
    }
    let query = RunQuery {
        project: params.project,
        task: read("task", params.task)?,
        order,
        after: read("cursor", params.cursor)?,
        limit,
    };
    let page = caller.client(&app).runs(&query).await?;
    Ok(Json(Page { items: page.items, next: page.next.map(|id| id.to_string()) }))
}

/// Returns a run, with where it stands (`standing`) and where its task does (`state`).
#[utoipa::path(
    get,
    path = "/v1/runs/{id}",
    operation_id = "getRun",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The run", body = ShownRun))
)]
pub(in crate::api) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRun>> {
    Ok(Json(caller.client(&app).run(&id).await?))
}

/// Returns the life of a run's task: all attempts at it, the oldest first.
#[utoipa::path(
    get,
    path = "/v1/runs/{id}/log",
    operation_id = "runLog",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The attempts, and where the task stands: `items` and `state`", body = RunLog))
)]
pub(in crate::api) async fn log(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<RunLog>> {
    Ok(Json(caller.client(&app).run_log(&id).await?))
}

/// Holds until the run's verdict was carried out, or nobody is asked for one any more, or the time is up; returns the run
/// as it stands then.
#[utoipa::path(
    get,
    path = "/v1/runs/{id}/wait",
    operation_id = "waitForRun",
    tag = "runs",
    params(WaitParams, ("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The run: ended, or as it is when the time is up or the server stops", body = ShownRun))
)]
pub(in crate::api) async fn wait(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<WaitParams>,
) -> Answer<Json<ShownRun>> {
    let run = app.engine.find_run(&caller.0, &id).await?.id;
    let timeout = query::hold(params.timeout.unwrap_or(Span::from_secs(30)));
    let held = app.held.register(&caller.0, caller.1);
    let run = tokio::select! {
        () = held.over() => return Err(unknown(ENDED)),
        ended = app.engine.wait_for_run(&caller.0, run, Some(timeout)) => ended?,
        () = app.stops() => app.engine.wait_for_run(&caller.0, run, Some(std::time::Duration::ZERO)).await?,
    };
    Ok(Json(run))
}

/// Returns every object of a run as git-internal writes them.
#[utoipa::path(
    get,
    path = "/v1/runs/{id}/objects",
    operation_id = "runObjects",
    tag = "runs",
    params(("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The objects", body = Objects))
)]
pub(in crate::api) async fn objects(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Objects>> {
    Ok(Json(Objects { items: caller.client(&app).run_objects(&id).await? }))
}

/// Returns the diff of a patch set, as it was recorded.
#[utoipa::path(
    get,
    path = "/v1/runs/{id}/diff",
    operation_id = "runDiff",
    tag = "runs",
    params(DiffParams, ("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The very bytes", content_type = "application/octet-stream"))
)]
pub(in crate::api) async fn diff(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(DiffParams { patchset, against }): Query<DiffParams>,
) -> Answer<impl IntoResponse> {
    let patchset = patchset.map_or(0, NonZeroUsize::get);
    let part = match against.as_deref().map(patch_named).transpose()? {
        Some(from) => RunPart::Between { from, to: patchset },
        None => RunPart::Patch(patchset),
    };
    Ok(bytes(caller.client(&app).run_part(&id, part).await?))
}

/// Returns all that a piece of evidence said, as it was recorded.
#[utoipa::path(
    get,
    path = "/v1/runs/{id}/output",
    operation_id = "runOutput",
    tag = "runs",
    params(EvidenceParams, ("id" = String, Path, description = "The run, or the start or end of its id")),
    responses((status = 200, description = "The very bytes", content_type = "application/octet-stream"))
)]
pub(in crate::api) async fn output(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(EvidenceParams { evidence }): Query<EvidenceParams>,
) -> Answer<impl IntoResponse> {
    Ok(bytes(caller.client(&app).run_part(&id, RunPart::Evidence(evidence)).await?))
}

/// Reads `RUN:NUMBER`; without a number the last is meant.
pub(crate) fn patch_named(text: &str) -> Result<(ObjectId, usize), Refusal> {
    let (run, number) = text.split_once(':').unwrap_or((text, "0"));
    let run = run.parse().map_err(|why: String| Refusal::invalid("against", why))?;
    let number = number.parse().map_err(|_| Refusal::invalid("against", "must be RUN or RUN:NUMBER"))?;
    Ok((run, number))
}

/// Never shown as a page: they may hold anything.
fn bytes(bytes: Vec<u8>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/octet-stream"), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")], bytes)
}
