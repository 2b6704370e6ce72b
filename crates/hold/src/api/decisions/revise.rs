//! `PATCH /v1/decisions/{id}`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Decision;
use holdpoint_core::decision::Revision;
use holdpoint_engine::Client as _;

use crate::api::App;
use crate::api::Reply;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::Answer;

pub(in crate::api) async fn revise(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(revision): Body<Revision>,
) -> Answer<Reply<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Reply(caller.client(&app).revise(id, revision).await?))
}
