//! `POST /v1/decisions/{id}/cancel`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_engine::api::decisions::Cancel;

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(cancel): Body<Cancel>,
) -> HandlerResult<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    let cancelled = caller.client(&app).cancel_as(id, cancel.reason, cancel.by).await?;
    app.metrics.settled(&cancelled);
    Ok(Reply(cancelled))
}
