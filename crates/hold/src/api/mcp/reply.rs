//! Responses on the wire: one JSON message, or a stream of them.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use holdpoint_protocols::mcp::peer::ProtocolEra;
use holdpoint_protocols::mcp::rpc::{self, RpcError};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

use crate::http::reply::Reply;

/// Answers a request that cannot be read.
pub(super) fn fault(status: StatusCode, id: &Value, fault: RpcError) -> Response {
    (status, Reply(rpc::response(id, Err(fault)))).into_response()
}

/// Answers with one message. In the modern era "not found" is also an HTTP status.
pub(super) fn whole(era: ProtocolEra, message: Value) -> Response {
    let code = message.pointer("/error/code").and_then(Value::as_i64);
    let status = match (era, code) {
        (ProtocolEra::Modern, Some(rpc::NO_METHOD)) => StatusCode::NOT_FOUND,
        (ProtocolEra::Modern, Some(rpc::NO_VERSION | rpc::HEADER_MISMATCH | rpc::NO_CAPABILITY)) => {
            StatusCode::BAD_REQUEST
        }
        _ => StatusCode::OK,
    };
    (status, Reply(message)).into_response()
}

/// Answers with the messages sent before the response, and the response.
pub(super) fn last(first: Value, mut told: mpsc::Receiver<Value>, response: Value) -> Response {
    let mut messages = vec![first];
    while let Ok(message) = told.try_recv() {
        messages.push(message);
    }
    messages.push(response);
    events(tokio_stream::iter(messages))
}

/// Answers with messages as they come; the last is the response.
pub(super) fn stream(messages: mpsc::Receiver<Value>) -> Response {
    events(ReceiverStream::new(messages))
}

fn events(messages: impl Stream<Item = Value> + Send + 'static) -> Response {
    let events = messages
        .map(|message| Ok::<_, Infallible>(Event::default().event("message").data(message.to_string())));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}
