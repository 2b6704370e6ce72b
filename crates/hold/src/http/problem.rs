//! Errors on the wire: RFC 9457 problems.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use holdpoint_core::Refusal;
use holdpoint_engine::{Error, Problem};

use crate::http::reply::Reply;

/// The error that a handler returns.
#[derive(Debug)]
pub(crate) struct HandlerError(pub(crate) Box<Problem>);

/// The result that a handler returns.
pub(crate) type HandlerResult<T> = Result<T, HandlerError>;

impl HandlerError {
    pub(crate) fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self(Box::new(Problem::new(status, code, detail)))
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }
}

impl From<Error> for HandlerError {
    fn from(error: Error) -> Self {
        Self(Box::new(error.into()))
    }
}

impl From<holdpoint_store::Error> for HandlerError {
    fn from(error: holdpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Refusal> for HandlerError {
    fn from(refusal: Refusal) -> Self {
        Self(Box::new(refusal.into()))
    }
}

impl IntoResponse for HandlerError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // A quota of pending decisions is freed by people, which takes more than a second.
        let later = if self.0.code == "quota" { "30" } else { "1" };
        let mut response = (status, Reply(self.0)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
        }
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static(later));
        }
        response
    }
}
