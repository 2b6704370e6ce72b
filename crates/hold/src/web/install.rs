//! Makes the inbox an installable app with notifications: the manifest, its icons, and the service worker.

use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use super::page::guard;

const WORKER: &str = include_str!("assets/sw.js");
/// Icons have fixed names, because systems store them with the app.
const ICONS: [(&str, &[u8]); 4] = [
    ("180.png", include_bytes!("assets/icon-180.png")),
    ("192.png", include_bytes!("assets/icon-192.png")),
    ("512.png", include_bytes!("assets/icon-512.png")),
    ("maskable-512.png", include_bytes!("assets/icon-maskable-512.png")),
];

/// Serves the service worker. It is at the root because it applies to all pages.
pub(super) async fn worker() -> Response {
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind)], WORKER).into_response();
    // Browsers revalidate it when they look for an update.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    guard(response.headers_mut());
    response
}

/// Serves the web app manifest.
pub(super) async fn manifest() -> Response {
    let icon = |name: &str, size: &str, purpose: &str| json!({ "src": format!("/icons/{name}"), "sizes": size, "type": "image/png", "purpose": purpose });
    let manifest = json!({
        "id": "/",
        "name": "Holdpoint",
        "short_name": "Holdpoint",
        "description": "Your pending decisions",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#1f6feb",
        "icons": [
            icon("192.png", "192x192", "any"),
            icon("512.png", "512x512", "any"),
            icon("maskable-512.png", "512x512", "maskable"),
        ],
        "shortcuts": [{ "name": "Next decision", "url": "/next" }],
    });
    let kind = [(header::CONTENT_TYPE, "application/manifest+json"), (header::CACHE_CONTROL, "no-cache")];
    (kind, manifest.to_string()).into_response()
}

pub(super) async fn icon(Path(name): Path<String>) -> Response {
    let Some((_, bytes)) = ICONS.iter().find(|(known, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kept = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")];
    (kept, *bytes).into_response()
}
