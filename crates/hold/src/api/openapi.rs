//! The description of the API, `docs/openapi.json`. A test generates it, and it is checked in.

use axum::http::header;
use axum::response::IntoResponse;

pub(super) async fn show() -> impl IntoResponse {
    let text = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
    ([(header::CONTENT_TYPE, "application/json")], text)
}
