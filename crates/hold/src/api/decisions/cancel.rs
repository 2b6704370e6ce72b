//! `POST /v1/decisions/{id}/cancel`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_engine::api::decisions::Cancel;

use crate::api::App;
use crate::api::Reply;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

pub(in crate::api) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(cancel): Body<Cancel>,
) -> Answer<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    let cancelled = caller.client(&app).cancel_as(id, cancel.reason, cancel.by).await?;
    app.metrics.settled(&cancelled);
    Ok(Reply(cancelled))
}
