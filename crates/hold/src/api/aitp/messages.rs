//! Speaking in a thread, and reading what was said.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use holdpoint_core::Span;
use holdpoint_engine::Threads as _;
use holdpoint_engine::thread::{Message, MessagesQuery};
use serde::Deserialize;
use serde_json::Value;

use super::{List, NewMessage, key, limit};
use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::{Caller, ENDED, unknown};
use crate::api::path::Path;
use crate::api::problem::Answer;
use crate::api::query::{self, Query};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct ListParams {
    /// At most this many; 100 if not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Which come first; `asc`, the oldest, if not given.
    #[param(inline)]
    order: Option<Order>,
    /// Only what was said after the message of this id.
    after: Option<String>,
    /// Only what was said before the message of this id.
    before: Option<String>,
    /// Where there is nothing, holds up to this long for the first, at most 5m.
    #[param(inline)]
    wait: Option<Span>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Order {
    Asc,
    Desc,
}

/// Says something. Messages of AITP in it open decisions, answer them, or report their outcome.
#[utoipa::path(
    post,
    path = "/aitp/v1/threads/{id}/messages",
    operation_id = "createMessage",
    tag = "aitp",
    params(
        ("id" = String, Path, description = "The thread"),
        ("Idempotency-Key" = Option<String>, Header, description = "Says it once under this key, however often it is sent; scoped to thread and credential"),
    ),
    request_body = NewMessage,
    responses((status = 201, description = "The message", body = Message))
)]
pub(in crate::api) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    headers: HeaderMap,
    Body(body): Body<Value>,
) -> Answer<(StatusCode, Json<Message>)> {
    let message = caller.client(&app).post(&id, body, key(&headers)?).await?;
    Ok((StatusCode::CREATED, Json(message)))
}

/// Lists what was said.
#[utoipa::path(
    get,
    path = "/aitp/v1/threads/{id}/messages",
    operation_id = "listMessages",
    tag = "aitp",
    params(ListParams, ("id" = String, Path, description = "The thread")),
    responses((status = 200, description = "Messages", body = List<Message>))
)]
pub(in crate::api) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<ListParams>,
) -> Answer<Json<List<Message>>> {
    let limit = limit(params.limit, 100)?;
    let newest_first = params.order == Some(Order::Desc);
    let query = MessagesQuery { after: params.after, before: params.before, newest_first, limit };
    let client = caller.client(&app);
    let wait = params.wait.map(query::hold).unwrap_or_default();
    let messages = if wait.is_zero() {
        client.messages(&id, &query, wait).await?
    } else {
        let held = app.held.register(&caller.0, caller.1);
        tokio::select! {
            () = held.over() => return Err(unknown(ENDED)),
            messages = client.messages(&id, &query, wait) => messages?,
            () = app.stops() => client.messages(&id, &query, Duration::ZERO).await?,
        }
    };
    Ok(Json(List::of(messages, limit, |message| message.id.clone())))
}
