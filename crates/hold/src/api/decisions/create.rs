//! `POST /v1/decisions`

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::decision::New;
use holdpoint_core::{Decision, Refusal, Span, Status, text};
use holdpoint_engine::Client as _;
use serde::Deserialize;

use super::wait::hold;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};
use crate::api::query::Query;
use crate::api::reply::Reply;
use crate::api::{App, REPLAYED};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct CreateParams {
    /// Holds up to this long, at most 5m, before it answers.
    #[param(inline)]
    wait: Option<Span>,
}

/// Asks; with `wait`, also holds, in one request.
#[utoipa::path(
    post,
    path = "/v1/decisions",
    operation_id = "createDecision",
    tag = "decisions",
    params(
        CreateParams,
        ("Idempotency-Key" = Option<String>, Header, description = "Asks once under this key, however often it is sent; kept for 7 days, scoped to project and credential"),
    ),
    request_body = New,
    responses(
        (status = 201, description = "Asked; with `wait`, as it stands after holding", body = Decision,
            headers(("Location" = String, description = "Where the decision is"))),
        (status = 200, description = "Asked before under this key: the first decision, as it stands now", body = Decision,
            headers(("Idempotent-Replayed" = String, description = "`true`"), ("Location" = String, description = "Where the decision is"))),
    )
)]
pub(in crate::api) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<CreateParams>,
    headers: HeaderMap,
    Body(new): Body<New>,
) -> Answer<Response> {
    let key = read_key(&headers)?;
    // Thousands may hold here: nothing that they do not need is kept while they do.
    drop(headers);
    let created = caller.client(&app).create(new, key).await?;
    let replayed = created.replayed;
    let decision = match params.wait.filter(|_| created.decision.status == Status::Pending) {
        Some(span) => {
            let id = created.decision.id;
            drop(created);
            hold(&app, &caller, id, span).await?
        }
        None => created.decision,
    };
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    let place = HeaderValue::from_str(&format!("/v1/decisions/{}", decision.id));
    let mut response = (status, Reply(decision)).into_response();
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Reads the key under which a request may be sent again.
pub(super) fn read_key(headers: &HeaderMap) -> Answer<Option<String>> {
    let wrong = |why: String| Failed::from(Refusal::invalid("Idempotency-Key", why));
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| wrong("is not plain text".into()))?.trim_matches('"');
    text::check_name(key).map_err(wrong)?;
    Ok(Some(key.to_owned()))
}
