//! JSON bodies: one meaning only, of a known shape, of a bounded size.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::header;
use holdpoint_core::json;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::App;
use super::problem::Failed;
use crate::document;

/// A JSON body of a known shape. Keys that are unknown or stand twice are refused.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Failed;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failed> {
        parse(&text(request, app.limits.body).await?).map(Self)
    }
}

/// Reads a body that says it is JSON, as text.
pub(super) async fn text(request: Request, limit: usize) -> Result<String, Failed> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Failed::new(415, "not_json", "the body must be sent as application/json"));
    }
    let read = Limited::new(request.into_body(), limit).collect().await;
    let bytes = read.map_err(|why| too_long_or_broken(&*why, limit))?.to_bytes();
    String::from_utf8(bytes.into()).map_err(|_| Failed::new(400, "malformed", "the body is not UTF-8"))
}

fn too_long_or_broken(why: &(dyn std::error::Error + 'static), limit: usize) -> Failed {
    if why.is::<LengthLimitError>() {
        Failed::new(
            413,
            "too_large",
            format!("the body has more than {limit} bytes, which is more than is read"),
        )
    } else {
        Failed::new(400, "broken_body", "the body could not be read to its end")
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failed> {
    let value = json::parse_strict(text)
        .map_err(|why| Failed::new(400, "malformed", format!("the body is not JSON: {why}")))?;
    document::read(value, "body").map_err(|fault| {
        let mut failed = Failed::new(422, "invalid", fault.to_string());
        failed.0.errors = vec![fault];
        failed
    })
}
