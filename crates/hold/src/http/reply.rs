//! JSON replies, serialised into the buffer that they are sent from.

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::http::problem::Failed;

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
        match serde_json::to_writer(&mut text, &self.0) {
            Ok(()) => {
                let kind = HeaderValue::from_static("application/json");
                ([(header::CONTENT_TYPE, kind)], Bytes::from(text)).into_response()
            }
            Err(why) => Failed::new(500, "internal", why.to_string()).into_response(),
        }
    }
}
