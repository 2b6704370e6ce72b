//! The stylesheet, the icon and the scripts: part of the binary, with a content hash in the name, so that browsers
//! may cache them.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use super::compressed;

const CSS: &str = include_str!("assets/app.css");
const ICON: &str = include_str!("assets/icon.svg");

macro_rules! scripts {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("assets/", $name)))),*] };
}

/// All scripts. The first is not a module: it runs before the page is there.
const SCRIPTS: [(&str, &str); 36] = scripts! {
    "typing.js" "app.js" "attend.js" "badge.js" "batch.js" "buttons.js" "card.js" "change.js" "chat.js" "choices.js" "comment.js" "dom.js" "drafts.js" "follow.js" "form.js" "job.js"
    "keys.js" "list.js" "live.js" "local.js" "marks.js" "palette.js" "panes.js" "pictures.js" "push.js" "reach.js" "reading.js" "run.js" "search.js" "seen.js" "sending.js" "time.js" "tray.js" "underway.js"
    "upcoming.js" "view.js"
};
/// The module that only conversations need.
const CHAT: &str = "chat.js";

/// The address of the stylesheet.
pub(super) static CSS_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/app.{}.css", hash(&[CSS])));
/// The address of the icon.
pub(super) static ICON_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/assets/app.{}.svg", hash(&[ICON])));
/// The folder of the scripts. Modules import each other by file name alone, so the hash of all of them is in the
/// folder.
static SCRIPTS_PATH: LazyLock<String> = LazyLock::new(|| {
    let contents: Vec<&str> = SCRIPTS.iter().map(|(_, content)| *content).collect();
    format!("/assets/{}", hash(&contents))
});
/// The address of the script that blocks keys on a page that has only just appeared.
pub(super) static TYPING_PATH: LazyLock<String> = LazyLock::new(|| script("typing.js"));
/// The address of the module that starts the others.
pub(super) static JS_PATH: LazyLock<String> = LazyLock::new(|| script("app.js"));
/// The address of the conversation module.
pub(super) static CHAT_PATH: LazyLock<String> = LazyLock::new(|| script(CHAT));
/// The modules that every page needs, for preloading.
pub(super) static MODULES: LazyLock<Vec<String>> = LazyLock::new(|| {
    SCRIPTS.iter().skip(1).map(|(name, _)| *name).filter(|name| *name != CHAT).map(script).collect()
});

/// The files by address: content type, plain and compressed bytes. Compressed once.
static FILES: LazyLock<HashMap<String, File>> = LazyLock::new(|| {
    let scripts =
        SCRIPTS.iter().map(|(name, content)| (script(name), "text/javascript; charset=utf-8", *content));
    let others =
        [(CSS_PATH.clone(), "text/css; charset=utf-8", CSS), (ICON_PATH.clone(), "image/svg+xml", ICON)];
    let file = |(path, kind, plain): (String, _, &'static str)| {
        (path, File { kind, plain, packed: compressed::asset(plain.as_bytes()) })
    };
    others.into_iter().chain(scripts).map(file).collect()
});

struct File {
    kind: &'static str,
    plain: &'static str,
    packed: Option<Bytes>,
}

pub(super) async fn serve(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = FILES.get(&format!("/assets/{file}")) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kept =
        [(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    match &file.packed {
        Some(packed) if compressed::is_read_by(&headers) => {
            let mut response = (kept, packed.clone()).into_response();
            compressed::mark(response.headers_mut());
            response
        }
        _ => (kept, [(header::VARY, "accept-encoding")], file.plain).into_response(),
    }
}

fn script(name: &str) -> String {
    format!("{}/{name}", *SCRIPTS_PATH)
}

fn hash(contents: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for content in contents {
        hasher.update(content.as_bytes());
    }
    let short = hasher.finalize().iter().take(8).fold(0u64, |short, byte| (short << 8) | u64::from(*byte));
    format!("{short:016x}")
}
