//! `POST /v1/decisions/{id}/consume`

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::decision::Requirements;
use holdpoint_engine::Client as _;
use holdpoint_engine::api::decisions::Consume;

use super::create::read_key;
use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::reply::REPLAYED;
use crate::http::reply::Reply;

pub(in crate::api) async fn consume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    headers: HeaderMap,
    Body(consume): Body<Consume>,
) -> HandlerResult<Response> {
    let key = read_key(&headers)?;
    let id = caller.names(&app, &id).await?;
    let required = Requirements { min: consume.min, seen: consume.seen };
    let consumed = caller.client(&app).consume(id, consume.subject, required, key).await?;
    let mut response = Reply(consumed.decision).into_response();
    if consumed.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
