//! The stylesheet, the icon and the scripts: part of the binary, named by what is in them, so that browsers may keep them.

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
const SCRIPTS: [(&str, &str); 35] = scripts! {
    "typing.js" "app.js" "badge.js" "batch.js" "buttons.js" "card.js" "change.js" "chat.js" "choices.js" "comment.js" "dom.js" "drafts.js" "follow.js" "form.js" "job.js"
    "keys.js" "list.js" "live.js" "local.js" "marks.js" "palette.js" "panes.js" "pictures.js" "push.js" "reach.js" "reading.js" "run.js" "search.js" "seen.js" "sending.js" "time.js" "tray.js" "underway.js"
    "upcoming.js" "view.js"
};
/// The one that only conversations need.
const CHAT: &str = "chat.js";

/// Where the stylesheet is.
pub(super) static CSS_PATH: LazyLock<String> = LazyLock::new(|| format!("/assets/app.{}.css", hash(&[CSS])));
/// Where the icon is.
pub(super) static ICON_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/assets/app.{}.svg", hash(&[ICON])));
/// The folder of the scripts. Modules name each other by file alone, so the folder says which version of all of them it is.
static SCRIPTS_PATH: LazyLock<String> = LazyLock::new(|| {
    let contents: Vec<&str> = SCRIPTS.iter().map(|(_, content)| *content).collect();
    format!("/assets/{}", hash(&contents))
});
/// Where the script is that keeps keys from a page that has only just appeared.
pub(super) static TYPING_PATH: LazyLock<String> = LazyLock::new(|| script("typing.js"));
/// Where the module is that starts the others.
pub(super) static JS_PATH: LazyLock<String> = LazyLock::new(|| script("app.js"));
/// Where the module of conversations is.
pub(super) static CHAT_PATH: LazyLock<String> = LazyLock::new(|| script(CHAT));
/// The modules that every page needs, so that a browser fetches them all at once.
pub(super) static MODULES: LazyLock<Vec<String>> = LazyLock::new(|| {
    SCRIPTS.iter().skip(1).map(|(name, _)| *name).filter(|name| *name != CHAT).map(script).collect()
});

/// Each file by its address: its kind, as it is, and compressed, which is done once.
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
