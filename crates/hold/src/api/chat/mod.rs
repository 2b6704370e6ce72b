//! Forms in conversation: the action protocol under `/api`.
//!
//! A conversation is a form decision being drafted: its values are the draft, its id is the owner `chat:ID`. What is
//! kept here is only how far the talk has come; after a restart it goes on from the draft.

mod forms;
mod sessions;
mod turn;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use holdpoint_core::{Actor, Auth, DecisionId, Span, Timestamp};
use holdpoint_engine::Embedded;
use holdpoint_protocols::action::conversation;
use holdpoint_protocols::action::form::Form;
use tokio::sync::Mutex;

pub(super) use sessions::run_idle;

use super::App;

/// What the routes of the action protocol answer.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/chat", post(turn::chat))
        .route("/sessions/reset", post(sessions::reset))
        .route("/schemas", get(forms::list))
        .route("/schemas/{name}", get(forms::show))
        .route("/validate-schema", post(forms::validate))
        .route("/health", get(sessions::health))
}

/// The conversations that are going on here.
#[derive(Debug)]
pub(crate) struct Chats {
    /// The folder that forms lie in.
    pub(crate) folder: PathBuf,
    /// How long one may lie idle before it is cancelled.
    pub(crate) idle: Span,
    talks: Mutex<HashMap<String, Arc<Mutex<Talk>>>>,
}

impl Chats {
    pub(crate) fn new(folder: PathBuf, idle: Span) -> Self {
        Self { folder, idle, talks: Mutex::default() }
    }
}

/// One conversation.
#[derive(Debug)]
struct Talk {
    decision: DecisionId,
    form: Form,
    state: conversation::State,
    touched: Timestamp,
}

/// Returns the client that asks on behalf of whoever opens a form. Nobody's credential: the one who fills it in must
/// be able to send it.
fn asker(app: &App) -> Embedded {
    let actor = Actor { auth: Auth::System, ..Actor::claimed("system:chat", "chat") };
    Embedded::acting(app.engine.clone(), actor)
}
