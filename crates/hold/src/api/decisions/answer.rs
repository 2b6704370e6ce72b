//! `POST /v1/decisions/{id}/answer`

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::response::Response;
use holdpoint_core::Status;
use holdpoint_core::decision::AnswerInput;
use holdpoint_engine::{AnsweredSame, Shown};

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::{REPLAYED, respond};

pub(in crate::api) async fn answer(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(input): Body<AnswerInput>,
) -> HandlerResult<Response> {
    let id = caller.names(&app, &id).await?;
    let (Shown { decision, replayed, .. }, same) = caller.client(&app).answer_shown(id, input).await?;
    if !replayed && decision.status() != Status::Pending {
        app.metrics.settled_as(decision.source(), decision.status());
    }
    let mut response = respond(decision.json().and_then(|json| with_same(json, &same)));
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Adds what became of the others that were named as the same ask, as [`AnswerBody`] has it.
///
/// [`AnswerBody`]: holdpoint_engine::AnswerBody
fn with_same(decision: Bytes, same: &[AnsweredSame]) -> serde_json::Result<Bytes> {
    let Some((b'}', members)) = decision.split_last().filter(|_| !same.is_empty()) else {
        return Ok(decision);
    };
    let mut body = [members, b",\"same\":"].concat();
    serde_json::to_writer(&mut body, same)?;
    body.push(b'}');
    Ok(Bytes::from(body))
}
