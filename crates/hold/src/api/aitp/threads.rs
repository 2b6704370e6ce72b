//! Opening, reading and ending threads.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::{Refusal, json};
use holdpoint_engine::Threads as _;
use holdpoint_engine::thread::View;
use serde::Deserialize;
use serde_json::Value;

use super::{List, NewThread, key, limit};
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::path::Path;
use crate::api::problem::{Answer, Failed};
use crate::api::query::Query;
use crate::api::{App, REPLAYED};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct Opened {
    /// The project it belongs to; what `metadata` says, or `default`, if not given.
    project: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct Listed {
    /// Only those of this project; otherwise of all that the caller may see.
    project: Option<String>,
    /// At most this many; 50 if not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// Opens a thread, and says what is said first.
#[utoipa::path(
    post,
    path = "/aitp/v1/threads",
    operation_id = "createThread",
    tag = "aitp",
    params(
        Opened,
        ("Idempotency-Key" = Option<String>, Header, description = "Opens one thread under this key, however often it is sent; scoped to project and credential"),
    ),
    request_body = NewThread,
    responses(
        (status = 201, description = "The thread, with what was said", body = View,
            headers(("Location" = String, description = "Where the thread is"))),
        (status = 200, description = "Opened before under this key", body = View,
            headers(("Idempotent-Replayed" = String, description = "`true`"), ("Location" = String, description = "Where the thread is"))),
    )
)]
pub(in crate::api) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Opened>,
    headers: HeaderMap,
    Body(body): Body<Value>,
) -> Answer<Response> {
    let key = key(&headers)?;
    let opened = app.engine.open_thread(&caller.0, body, asked.project.as_deref(), key.as_deref()).await;
    let (thread, replayed) = opened?;
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    let place = HeaderValue::from_str(&format!("/aitp/v1/threads/{}", thread.id));
    let mut response = (status, Json(thread)).into_response();
    if let Ok(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Lists threads, the one that was opened last first, without what was said.
#[utoipa::path(
    get,
    path = "/aitp/v1/threads",
    operation_id = "listThreads",
    tag = "aitp",
    params(Listed),
    responses((status = 200, description = "Threads", body = List<View>))
)]
pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Listed>,
) -> Answer<Json<List<View>>> {
    let limit = limit(asked.limit, 50)?;
    if let Some(project) = &asked.project {
        caller.may_use_project(project)?;
    }
    let threads = caller.client(&app).threads(asked.project.as_deref(), limit).await?;
    Ok(Json(List::of(threads, limit, |thread| thread.id.clone())))
}

/// Returns a thread with what was said in it, the first thousand messages.
#[utoipa::path(
    get,
    path = "/aitp/v1/threads/{id}",
    operation_id = "getThread",
    tag = "aitp",
    params(("id" = String, Path, description = "The thread")),
    responses((status = 200, description = "The thread", body = View))
)]
pub(in crate::api) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<View>> {
    Ok(Json(caller.client(&app).thread(&id).await?))
}

/// Returns a thread: the protocol's own text asks for it with a POST. What a thread was opened with stays.
pub(in crate::api) async fn get_by_post(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    request: Request,
) -> Answer<Json<View>> {
    let unread =
        |_| Failed::new(413, "too_large", "the body has more bytes than are read, or came too slowly");
    let bytes = app.limits.read(request.into_body()).await.map_err(unread)?;
    let text = String::from_utf8_lossy(&bytes);
    let body = if text.trim().is_empty() { None } else { json::parse_strict(&text).ok() };
    if body.is_some_and(|body| body.get("metadata").is_some_and(|metadata| !metadata.is_null())) {
        return Err(Refusal::invalid("metadata", "cannot be changed; open another thread").into());
    }
    Ok(Json(caller.client(&app).thread(&id).await?))
}

/// Ends a thread: its decisions go, and what was said is forgotten.
#[utoipa::path(
    delete,
    path = "/aitp/v1/threads/{id}",
    operation_id = "deleteThread",
    tag = "aitp",
    params(("id" = String, Path, description = "The thread")),
    responses((status = 204, description = "It is gone"))
)]
pub(in crate::api) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<StatusCode> {
    caller.client(&app).delete_thread(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
