//! `POST /v1/decisions/{id}/answer`

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::Status;
use holdpoint_core::decision::AnswerInput;
use holdpoint_engine::{AnswerBody, Client as _};

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::Answer;
use crate::http::reply::REPLAYED;
use crate::http::reply::Reply;

pub(in crate::api) async fn answer(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(input): Body<AnswerInput>,
) -> Answer<Response> {
    let id = caller.names(&app, &id).await?;
    let answered = caller.client(&app).answer(id, input).await?;
    if !answered.replayed && answered.decision.status != Status::Pending {
        app.metrics.settled(&answered.decision);
    }
    let replayed = answered.replayed;
    let mut response = Reply(AnswerBody { decision: answered.decision, same: answered.same }).into_response();
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
