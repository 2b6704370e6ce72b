//! JSON bodies: unambiguous, of a known shape and of a bounded size.

use std::sync::Arc;

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use holdpoint_core::json;
use serde::de::DeserializeOwned;

use crate::document;
use crate::http::app::App;
use crate::http::client_address::ClientAddress;
use crate::http::in_flight;
use crate::http::in_flight::{BudgetOwner, BudgetShare, Identified};
use crate::http::limits::{BodyError, Limits};
use crate::http::problem::HandlerError;

/// A JSON body of a known shape. Unknown and duplicate keys are refused.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = HandlerError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, HandlerError> {
        parse(&text(request, &app.limits).await?).map(Self)
    }
}

/// Reads a body with a JSON content type, as text.
pub(crate) async fn text(request: Request, limits: &Limits) -> Result<String, HandlerError> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(HandlerError::new(415, "not_json", "the body must be sent as application/json"));
    }
    let payer = payer(&request);
    let _share = reserve(&request, payer.clone(), limits)?;
    let bytes = limits.read(request.into_body()).await.map_err(|unread| match unread {
        BodyError::TooLarge => HandlerError::new(
            413,
            "too_large",
            format!("the body has more than {} bytes, the limit", limits.body),
        ),
        BodyError::TooSlow => HandlerError::new(408, "too_slow", "the body did not arrive in time"),
        BodyError::Broken => HandlerError::new(400, "broken_body", "the body could not be read to its end"),
    })?;
    limits.admit_bytes(payer, bytes.len())?;
    String::from_utf8(bytes.into()).map_err(|_| HandlerError::new(400, "malformed", "the body is not UTF-8"))
}

/// Returns whose budget a request uses.
fn payer(request: &Request) -> Option<BudgetOwner> {
    let extensions = request.extensions();
    Some(extensions.get::<Identified>()?.payer(extensions.get::<ClientAddress>()?.0))
}

/// Reserves room for what is about to be read. Its size is known only if the caller sends it.
fn reserve(
    request: &Request,
    payer: Option<BudgetOwner>,
    limits: &Limits,
) -> Result<Option<BudgetShare>, HandlerError> {
    let Some(payer) = payer else { return Ok(None) };
    let size = request.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let size = size.unwrap_or(limits.body).min(limits.body);
    if size <= in_flight::SMALL {
        return Ok(None);
    }
    let share = limits.in_flight.take(payer, size);
    let refused = || {
        HandlerError::new(429, "too_much", "too many large requests are under way; send one after the other")
    };
    share.map(Some).ok_or_else(refused)
}

pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, HandlerError> {
    let value = json::parse_strict(text)
        .map_err(|why| HandlerError::new(400, "malformed", format!("the body is not JSON: {why}")))?;
    document::read(value, "body").map_err(|fault| {
        let mut failed = HandlerError::new(422, "invalid", fault.to_string());
        failed.0.errors = vec![fault];
        failed
    })
}
