//! `GET /v1/decisions/{id}`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_engine::Client as _;

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> HandlerResult<Reply<Decision>> {
    Ok(Reply(caller.client(&app).get(&id).await?))
}
