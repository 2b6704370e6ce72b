//! Opening a form: a decision that nobody else is asked.

use holdpoint_core::Decision;
use holdpoint_engine::Client as _;
use holdpoint_protocols::action::form::Form;

use super::asker;
use crate::api::App;
use crate::api::problem::Answer;

/// Opens a form under a conversation's id. `last` is what was talked about under it before: two who open it at once,
/// here or on two nodes, open one.
pub(crate) async fn begin(
    app: &App,
    form: &Form,
    project: &str,
    id: &str,
    last: Option<&Decision>,
) -> Answer<Decision> {
    let last = last.map_or_else(|| "none".to_owned(), |last| last.id.to_string());
    let digest = holdpoint_core::json::hex(&hash(id));
    let created =
        asker(app).create(form.opening(project, id), Some(format!("chat {digest} after {last}"))).await?;
    Ok(created.decision)
}

/// An id may be longer than a key.
fn hash(id: &str) -> [u8; 16] {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::digest(id.as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
