//! `POST /v1/decisions`

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::decision::New;
use holdpoint_core::{Refusal, Status, text};
use holdpoint_engine::Shown;
use holdpoint_engine::api::decisions::CreateParams;

use super::wait::hold;
use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::http::query::Query;
use crate::http::reply::{DecisionReply, REPLAYED};

pub(in crate::api) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<CreateParams>,
    headers: HeaderMap,
    Body(new): Body<New>,
) -> HandlerResult<Response> {
    let key = read_key(&headers)?;
    // Thousands of requests may hold here: drop what they no longer need.
    drop(headers);
    let Shown { mut decision, replayed, .. } = caller.client(&app).create_shown(new, key).await?;
    if let Some(span) = params.wait.filter(|_| decision.status() == Status::Pending) {
        let id = decision.id();
        drop(decision);
        decision = hold(&app, &caller, id, span).await?;
    }
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    let place = HeaderValue::from_str(&format!("/v1/decisions/{}", decision.id()));
    let mut response = (status, DecisionReply(decision)).into_response();
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Reads the `Idempotency-Key` header.
pub(in crate::api) fn read_key(headers: &HeaderMap) -> HandlerResult<Option<String>> {
    let wrong = |why: String| HandlerError::from(Refusal::invalid("Idempotency-Key", why));
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| wrong("is not plain text".into()))?.trim_matches('"');
    text::check_name(key).map_err(wrong)?;
    Ok(Some(key.to_owned()))
}
