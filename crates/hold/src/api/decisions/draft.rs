//! `PUT /v1/decisions/{id}/draft`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_engine::Client as _;
use holdpoint_engine::api::decisions::Draft;

use crate::api::App;
use crate::api::Reply;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

pub(in crate::api) async fn draft(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(draft): Body<Draft>,
) -> Answer<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Reply(caller.client(&app).draft(id, draft.values).await?))
}
