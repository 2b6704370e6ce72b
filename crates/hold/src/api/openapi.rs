//! The description of the API. It is made by a test, and checked in.

use axum::http::header;
use axum::response::IntoResponse;

pub(super) async fn show() -> impl IntoResponse {
    let text = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
    ([(header::CONTENT_TYPE, "application/json")], text)
}
