//! `POST /v1/decisions`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::decision::New;
use holdpoint_core::{Span, Status, text};
use holdpoint_engine::Client as _;
use serde::Deserialize;

use super::wait::hold;
use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};
use crate::api::query::Query;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Asked {
    wait: Option<Span>,
}

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Asks; with `wait`, also holds, in one request.
pub(in crate::api) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    Body(new): Body<New>,
) -> Answer<Response> {
    let key = headers.get("idempotency-key").map(read_key).transpose()?;
    let created = caller.client(&app).create(new, key).await?;
    let (replayed, mut decision) = (created.replayed, created.decision);
    if let Some(span) = asked.wait.filter(|_| decision.status == Status::Pending) {
        decision = caller.view(hold(&app, decision.id, span).await?);
    }
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    let place = HeaderValue::from_str(&format!("/v1/decisions/{}", decision.id));
    let mut response = (status, Json(decision)).into_response();
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

fn read_key(value: &HeaderValue) -> Answer<String> {
    let wrong = |why: String| Failed::new(422, "invalid", format!("Idempotency-Key {why}"));
    let key = value.to_str().map_err(|_| wrong("is not plain text".into()))?.trim_matches('"');
    text::check_name(key).map_err(wrong)?;
    Ok(key.to_owned())
}
