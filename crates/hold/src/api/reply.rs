//! Replies in JSON, written into the buffer that they are sent from.

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::problem::Failed;

/// How long most replies are at most; a longer one makes its buffer grow.
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
