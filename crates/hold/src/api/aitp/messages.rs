//! Posting messages to a thread and reading them.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use holdpoint_engine::Threads as _;
use holdpoint_engine::api::threads::{List, MessageParams, Order};
use holdpoint_engine::thread::{Message, MessagesQuery};
use serde_json::Value;

use super::list_of;
use crate::api::decisions::read_key;
use crate::api::routes::Call;
use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::{Caller, ENDED, unknown};
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::query;
use crate::http::reply::Reply;

pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    headers: HeaderMap,
    Body(body): Body<Value>,
) -> HandlerResult<(StatusCode, Reply<Message>)> {
    let message = caller.client(&app).post(&id, body, read_key(&headers)?).await?;
    Ok((StatusCode::CREATED, Reply(message)))
}

pub(super) async fn list(call: Call<MessageParams>) -> HandlerResult<List<Message>> {
    let (client, app, caller, params) = (call.client(), call.app, call.caller, call.query);
    let limit = query::limit(params.limit, 100)?;
    let newest_first = params.order == Some(Order::Desc);
    let query = MessagesQuery { after: params.after, before: params.before, newest_first, limit };
    let wait = params.wait.map(query::hold).unwrap_or_default();
    let messages = if wait.is_zero() {
        client.messages(&call.name, &query, wait).await?
    } else {
        app.held.check_room(caller.1)?;
        let held = app.held.register(&caller.0, caller.1);
        tokio::select! {
            () = held.over() => return Err(unknown(ENDED)),
            messages = client.messages(&call.name, &query, wait) => messages?,
            () = app.stops() => client.messages(&call.name, &query, Duration::ZERO).await?,
        }
    };
    Ok(list_of(messages, limit, |message| message.id.clone()))
}
