//! `GET /v1/decisions/{id}/receipt`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_engine::Client as _;
use holdpoint_engine::receipt::Receipt;

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn receipt(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> HandlerResult<Reply<Receipt>> {
    let client = caller.client(&app);
    let decision = client.get(&id).await?;
    Ok(Reply(client.receipt(decision.id).await?))
}
