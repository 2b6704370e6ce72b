//! `PUT` and `DELETE /v1/decisions/{id}/take` and `/v1/decisions/{id}/snooze`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_core::decision::Attention;
use holdpoint_engine::{SnoozeBody, TakeBody};

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

/// Says for 30 minutes that one is on it. It keeps nobody from answering.
#[utoipa::path(
    put,
    path = "/v1/decisions/{id}/take",
    operation_id = "takeDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = TakeBody,
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn take(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
    Body(TakeBody { by }): Body<TakeBody>,
) -> Answer<Json<Decision>> {
    attend(state, caller, path, Attention::Take, by).await
}

/// Says that one is not on it any more.
#[utoipa::path(
    delete,
    path = "/v1/decisions/{id}/take",
    operation_id = "releaseDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn release(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
) -> Answer<Json<Decision>> {
    attend(state, caller, path, Attention::Release, None).await
}

/// Puts a decision aside: it is out of one's own list until then, until it is revised, or until ten minutes before its deadline.
#[utoipa::path(
    put,
    path = "/v1/decisions/{id}/snooze",
    operation_id = "snoozeDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    request_body = SnoozeBody,
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn snooze(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
    Body(SnoozeBody { until, by }): Body<SnoozeBody>,
) -> Answer<Json<Decision>> {
    attend(state, caller, path, Attention::Snooze { until }, by).await
}

/// Has a decision in one's list again.
#[utoipa::path(
    delete,
    path = "/v1/decisions/{id}/snooze",
    operation_id = "wakeDecision",
    tag = "decisions",
    params(("id" = String, Path, description = "The id, or any start of it that no other decision has; with or without `dcn-`")),
    responses((status = 200, description = "The decision as it is now", body = Decision))
)]
pub(in crate::api) async fn wake(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
) -> Answer<Json<Decision>> {
    attend(state, caller, path, Attention::Wake, None).await
}

async fn attend(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    attention: Attention,
    by: Option<String>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Json(caller.client(&app).attend_as(id, attention, by).await?))
}
