//! Responses for addresses that have no handler.

use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse as _, Response};

use crate::http::problem::HandlerError;

/// Answers "not found": to a browser as a page, to programs as a problem.
pub(super) async fn not_found(uri: Uri, headers: HeaderMap) -> Response {
    if is_page(&uri, &headers) {
        return crate::web::not_found_page(uri.path());
    }
    let failed = HandlerError::new(404, "no_such_route", format!("there is nothing at {}", uri.path()))
        .hint("GET /openapi.json lists all endpoints");
    failed.into_response()
}

/// Answers "wrong method" to programs. A browser that opens an address that only accepts forms, as after signing in
/// again, is sent to the inbox.
pub(super) async fn wrong_method(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method == Method::GET && is_page(&uri, &headers) {
        return crate::web::to_inbox();
    }
    HandlerError::new(405, "wrong_method", format!("{method} is not allowed at {}", uri.path()))
        .into_response()
}

/// Returns whether a browser asks for a page.
fn is_page(uri: &Uri, headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let is_api = ["/v1/", "/aitp/", "/humanlayer/"].iter().any(|api| uri.path().starts_with(api));
    accepts.contains("text/html") && !is_api
}
