//! JSON replies, serialised into the buffer that they are sent from.

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use holdpoint_engine::VisibleDecision;
use serde::Serialize;

use crate::http::problem::HandlerError;

/// Marks the reply to a request that had been carried out before.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The size that most replies stay below; a larger reply makes its buffer grow.
const USUAL: usize = 2 << 10;

/// A reply in JSON.
#[derive(Debug)]
pub(crate) struct Reply<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let mut text = Vec::with_capacity(USUAL);
        respond(serde_json::to_writer(&mut text, &self.0).map(|()| Bytes::from(text)))
    }
}

/// A decision in JSON, in bytes that are shared with other replies if those show the same.
#[derive(Debug)]
pub(crate) struct DecisionReply(pub(crate) VisibleDecision);

impl IntoResponse for DecisionReply {
    fn into_response(self) -> Response {
        respond(self.0.json())
    }
}

/// Returns a response with JSON that is already written.
pub(crate) fn respond(json: serde_json::Result<Bytes>) -> Response {
    match json {
        Ok(json) => {
            let kind = HeaderValue::from_static("application/json");
            ([(header::CONTENT_TYPE, kind)], json).into_response()
        }
        Err(why) => HandlerError::new(500, "internal", why.to_string()).into_response(),
    }
}
