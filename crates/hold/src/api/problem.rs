//! Errors on the wire: RFC 9457 problems.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use holdpoint_core::Refusal;
use holdpoint_engine::{Error, Problem};

use crate::api::Reply;

/// What a handler returns if it cannot do as asked.
#[derive(Debug)]
pub(crate) struct Failed(pub(crate) Box<Problem>);

/// What handlers return.
pub(crate) type Answer<T> = Result<T, Failed>;

impl Failed {
    pub(crate) fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self(Box::new(Problem::new(status, code, detail)))
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self(Box::new(error.into()))
    }
}

impl From<holdpoint_store::Error> for Failed {
    fn from(error: holdpoint_store::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self(Box::new(refusal.into()))
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        // What is pending is answered by people, not within a second.
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

/// Says that there is nothing: to a browser as a page, to programs as a problem.
pub(super) async fn not_found(uri: Uri, headers: HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if accepts.contains("text/html")
        && !["/v1/", "/aitp/", "/humanlayer/"].iter().any(|api| uri.path().starts_with(api))
    {
        return crate::web::nothing_at(uri.path());
    }
    let failed = Failed::new(404, "no_such_route", format!("there is nothing at {}", uri.path()))
        .hint("GET /openapi.json lists what there is");
    failed.into_response()
}

pub(super) async fn wrong_method(method: axum::http::Method, uri: Uri) -> Failed {
    Failed::new(405, "wrong_method", format!("{method} is not taken at {}", uri.path()))
}
