//! Query strings of a known shape; unknown keys are refused.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use holdpoint_core::{Refusal, Span};
use serde::de::DeserializeOwned;

use crate::http::problem::HandlerError;

/// A query string of a known shape.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, HandlerError> {
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        let wrong = |why: axum::extract::rejection::QueryRejection| {
            let why = why.body_text();
            let why = why.split_once("query string: ").map_or(why.as_str(), |(_, why)| why);
            Refusal::invalid("query", why).into()
        };
        read.map(|query| Self(query.0)).map_err(wrong)
    }
}

/// The longest that a request may hold.
pub(crate) const LONGEST_HOLD: Span = Span::from_secs(300);

/// Returns how long to hold: the requested time, within bounds.
pub(crate) fn hold(asked: Span) -> std::time::Duration {
    std::time::Duration::from_millis(asked.min(LONGEST_HOLD).as_millis().unsigned_abs())
}

/// The maximum length of a list.
const MOST: usize = 1_000;

/// Returns how many items to list: the requested number, or the default.
pub(crate) fn limit(asked: Option<usize>, usual: usize) -> Result<usize, Refusal> {
    let limit = asked.unwrap_or(usual);
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    Err(Refusal::invalid("limit", format!("must be from 1 to {MOST}")))
}
