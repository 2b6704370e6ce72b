//! JSON bodies: one meaning only, of a known shape, of a bounded size.

use std::sync::Arc;

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use holdpoint_core::json;
use serde::de::DeserializeOwned;

use super::App;
use super::client_address::ClientAddress;
use super::in_flight::{self, Identified, Payer, Share};
use super::limits::{Limits, Unread};
use super::problem::Failed;
use crate::document;

/// A JSON body of a known shape. Keys that are unknown or stand twice are refused.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Failed;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failed> {
        parse(&text(request, &app.limits).await?).map(Self)
    }
}

/// Reads a body that says it is JSON, as text.
pub(super) async fn text(request: Request, limits: &Limits) -> Result<String, Failed> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Failed::new(415, "not_json", "the body must be sent as application/json"));
    }
    let payer = payer(&request);
    let _share = reserve(&request, payer.clone(), limits)?;
    let bytes = limits.read(request.into_body()).await.map_err(|unread| match unread {
        Unread::TooLarge => Failed::new(
            413,
            "too_large",
            format!("the body has more than {} bytes, which is more than is read", limits.body),
        ),
        Unread::TooSlow => Failed::new(408, "too_slow", "the body did not arrive in time"),
        Unread::Broken => Failed::new(400, "broken_body", "the body could not be read to its end"),
    })?;
    limits.admit_bytes(payer, bytes.len())?;
    String::from_utf8(bytes.into()).map_err(|_| Failed::new(400, "malformed", "the body is not UTF-8"))
}

/// Returns whose budget a request uses.
fn payer(request: &Request) -> Option<Payer> {
    let extensions = request.extensions();
    Some(extensions.get::<Identified>()?.payer(extensions.get::<ClientAddress>()?.0))
}

/// Counts what is about to be read; how much that is, is known only where the caller says so.
fn reserve(request: &Request, payer: Option<Payer>, limits: &Limits) -> Result<Option<Share>, Failed> {
    let Some(payer) = payer else { return Ok(None) };
    let size = request.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let size = size.unwrap_or(limits.body).min(limits.body);
    if size <= in_flight::SMALL {
        return Ok(None);
    }
    let share = limits.in_flight.take(payer, size);
    let refused =
        || Failed::new(429, "too_much", "too many large requests are under way; send one after the other");
    share.map(Some).ok_or_else(refused)
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failed> {
    let value = json::parse_strict(text)
        .map_err(|why| Failed::new(400, "malformed", format!("the body is not JSON: {why}")))?;
    document::read(value, "body").map_err(|fault| {
        let mut failed = Failed::new(422, "invalid", fault.to_string());
        failed.0.errors = vec![fault];
        failed
    })
}
