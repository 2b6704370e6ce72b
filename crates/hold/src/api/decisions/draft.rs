//! `PUT /v1/decisions/{id}/draft`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_engine::Client as _;
use holdpoint_engine::api::decisions::Draft;

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn draft(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(draft): Body<Draft>,
) -> HandlerResult<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Reply(caller.client(&app).draft(id, draft.values).await?))
}
