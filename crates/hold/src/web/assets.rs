//! The stylesheet and the script: part of the binary, named by what is in them, so that browsers may keep them.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

const CSS: &str = include_str!("assets/app.css");
const TYPING: &str = include_str!("assets/typing.js");
const JS: &str = concat!(
    include_str!("assets/reading.js"),
    include_str!("assets/app.js"),
    include_str!("assets/drafts.js"),
    include_str!("assets/change.js")
);
const CHAT: &str = include_str!("assets/chat.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Where the stylesheet is.
pub(super) static CSS_PATH: LazyLock<String> = LazyLock::new(|| path(CSS, "css"));
/// Where the script is that keeps keys from a page that has only just appeared.
pub(super) static TYPING_PATH: LazyLock<String> = LazyLock::new(|| path(TYPING, "js"));
/// Where the script is.
pub(super) static JS_PATH: LazyLock<String> = LazyLock::new(|| path(JS, "js"));
/// Where the script of conversations is.
pub(super) static CHAT_PATH: LazyLock<String> = LazyLock::new(|| path(CHAT, "js"));
/// Where the icon is.
pub(super) static ICON_PATH: LazyLock<String> = LazyLock::new(|| path(ICON, "svg"));

pub(super) async fn serve(Path(file): Path<String>) -> Response {
    let asked = format!("/assets/{file}");
    let found = [
        (&*CSS_PATH, CSS, "text/css; charset=utf-8"),
        (&*TYPING_PATH, TYPING, "text/javascript; charset=utf-8"),
        (&*JS_PATH, JS, "text/javascript; charset=utf-8"),
        (&*CHAT_PATH, CHAT, "text/javascript; charset=utf-8"),
        (&*ICON_PATH, ICON, "image/svg+xml"),
    ];
    match found.into_iter().find(|(path, ..)| **path == asked) {
        Some((_, content, kind)) => {
            let headers = [
                (header::CONTENT_TYPE, kind),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, content).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn path(content: &str, extension: &str) -> String {
    let hash = Sha256::digest(content.as_bytes());
    let short = hash.iter().take(8).fold(0u64, |short, byte| (short << 8) | u64::from(*byte));
    format!("/assets/app.{short:016x}.{extension}")
}
