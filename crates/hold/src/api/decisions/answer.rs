//! `POST /v1/decisions/{id}/answer`

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, Status};
use holdpoint_engine::Client as _;

use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;

pub(in crate::api) async fn answer(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(input): Body<AnswerInput>,
) -> Answer<Json<Decision>> {
    let client = caller.client(&app);
    let decision = client.get(&id).await?;
    let answered = client.answer(decision.id, input).await?;
    if !answered.replayed && answered.decision.status != Status::Pending {
        app.metrics.settled(&answered.decision);
    }
    Ok(Json(answered.decision))
}
