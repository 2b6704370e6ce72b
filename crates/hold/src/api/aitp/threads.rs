//! Opening, reading and ending threads.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::{Refusal, json};
use holdpoint_engine::Threads as _;
use holdpoint_engine::api::threads::{List, ListParams, OpenParams};
use holdpoint_engine::thread::View;
use serde_json::Value;

use super::list_of;
use crate::api::decisions::read_key;
use crate::api::routes::Call;
use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::path::Path;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::http::query;
use crate::http::query::Query;
use crate::http::reply::REPLAYED;
use crate::http::reply::Reply;

pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<OpenParams>,
    headers: HeaderMap,
    Body(body): Body<Value>,
) -> HandlerResult<Response> {
    let key = read_key(&headers)?;
    let opened = app.engine.open_thread(&caller.0, body, params.project.as_deref(), key.as_deref()).await;
    let (thread, replayed) = opened?;
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    let place = HeaderValue::from_str(&format!("/aitp/v1/threads/{}", thread.id));
    let mut response = (status, Reply(thread)).into_response();
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

pub(super) async fn list(call: Call<ListParams>) -> HandlerResult<List<View>> {
    let limit = query::limit(call.query.limit, 50)?;
    let project = call.query.project.as_deref();
    if let Some(project) = project {
        call.caller.may_use_project(project)?;
    }
    let threads = call.client().threads(project, limit).await?;
    Ok(list_of(threads, limit, |thread| thread.id.clone()))
}

/// What a thread was opened with never changes.
pub(super) async fn get_by_post(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    request: Request,
) -> HandlerResult<Reply<View>> {
    let unread =
        |_| HandlerError::new(413, "too_large", "the body has more bytes than are read, or came too slowly");
    let bytes = app.limits.read(request.into_body()).await.map_err(unread)?;
    let text = String::from_utf8_lossy(&bytes);
    let body = if text.trim().is_empty() { None } else { json::parse_strict(&text).ok() };
    if body.is_some_and(|body| body.get("metadata").is_some_and(|metadata| !metadata.is_null())) {
        return Err(Refusal::invalid("metadata", "cannot be changed; open another thread").into());
    }
    Ok(Reply(caller.client(&app).thread(&id).await?))
}
