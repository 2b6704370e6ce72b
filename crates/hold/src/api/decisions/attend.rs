//! `PUT` and `DELETE /v1/decisions/{id}/take` and `/v1/decisions/{id}/snooze`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_core::decision::Attention;
use holdpoint_engine::{SnoozeBody, TakeBody};

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn take(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
    Body(TakeBody { by }): Body<TakeBody>,
) -> HandlerResult<Reply<Decision>> {
    attend(state, caller, path, Attention::Take, by).await
}

pub(in crate::api) async fn release(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
) -> HandlerResult<Reply<Decision>> {
    attend(state, caller, path, Attention::Release, None).await
}

pub(in crate::api) async fn snooze(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
    Body(SnoozeBody { until, by }): Body<SnoozeBody>,
) -> HandlerResult<Reply<Decision>> {
    attend(state, caller, path, Attention::Snooze { until }, by).await
}

pub(in crate::api) async fn wake(
    state: State<Arc<App>>,
    caller: Caller,
    path: Path,
) -> HandlerResult<Reply<Decision>> {
    attend(state, caller, path, Attention::Wake, None).await
}

async fn attend(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    attention: Attention,
    by: Option<String>,
) -> HandlerResult<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Reply(caller.client(&app).attend_as(id, attention, by).await?))
}
