//! Opening a form: a decision that only the person who fills it in is asked.

use holdpoint_core::Decision;
use holdpoint_engine::Client as _;
use holdpoint_protocols::action::form::Form;

use super::asker;
use crate::http::app::App;
use crate::http::problem::HandlerResult;

/// Opens a form under a conversation's id. `last` is the previous decision under this id: two callers that open
/// a form at once, here or on two nodes, get the same one.
pub(crate) async fn begin(
    app: &App,
    form: &Form,
    project: &str,
    id: &str,
    last: Option<&Decision>,
) -> HandlerResult<Decision> {
    let last = last.map_or_else(|| "none".to_owned(), |last| last.id.to_string());
    let digest = holdpoint_core::json::hex(&hash(id));
    let created =
        asker(app).create(form.opening(project, id), Some(format!("chat {digest} after {last}"))).await?;
    Ok(created.decision)
}

/// A conversation id may be longer than a key, so it is hashed.
fn hash(id: &str) -> [u8; 16] {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::digest(id.as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
