//! Forms in conversation: the action protocol under `/api`, and the page that uses the same conversation.
//!
//! A conversation is a form decision being drafted: its values are the draft, its id is the owner `chat:ID`; any
//! other decision is discussed under its own id. The state of the conversation and its lines are in the log with each
//! draft; memory only caches what was read from there.

mod begin;
pub(crate) mod chats;
mod clock;
mod forms;
mod sessions;
mod talk;
mod transcript;
mod turn;

use holdpoint_core::{Actor, Auth, Decision, OwnerKind};
use holdpoint_engine::Embedded;
use holdpoint_engine::api::forms::{
    CHAT, CHAT_HEALTH, Forms, GET_FORM, LIST_FORMS, RESET_CHAT, VALIDATE_FORM,
};

pub(crate) use begin::begin;
pub(crate) use clock::zone;
pub(crate) use forms::{listed, named};
pub(crate) use sessions::run_idle;
pub(crate) use talk::{TurnInput, current_state, take};
use transcript::Transcript;
pub(crate) use transcript::{LineAuthor, TranscriptLine};
pub(crate) use turn::fresh_id;

use super::routes::Routes;
use crate::http::app::App;
use crate::http::problem::HandlerResult;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&CHAT, turn::chat)
        .on(&RESET_CHAT, sessions::reset)
        .on(&LIST_FORMS, |call| async move { HandlerResult::Ok(Forms { schemas: listed(&call.app) }) })
        .on(&GET_FORM, forms::show)
        .on(&VALIDATE_FORM, forms::validate)
        .raw(&CHAT_HEALTH, sessions::health)
}

/// Returns the id under which a decision is talked about.
pub(crate) fn conversation_of(decision: &Decision) -> String {
    match &decision.owner {
        Some(owner) if owner.kind == OwnerKind::Chat => owner.id.clone(),
        _ => decision.id.to_string(),
    }
}

/// Returns the client that asks on behalf of the person who opens a form. It carries no credential: the person who
/// fills the form in must be able to send it.
fn asker(app: &App) -> Embedded {
    let actor = Actor { auth: Auth::System, ..Actor::claimed("system:chat", "chat") };
    Embedded::acting(app.engine.clone(), actor)
}
