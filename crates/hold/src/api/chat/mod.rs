//! Forms in conversation: the action protocol under `/api`, and the page that talks the same way.
//!
//! A conversation is a form decision being drafted: its values are the draft, its id is the owner `chat:ID`; any other
//! decision is talked about under its own id. How far the conversation has got and what was said is in the log with
//! each draft; what is kept in memory is only what was read of that.

mod begin;
mod clock;
mod forms;
mod kept;
mod sessions;
mod talk;
mod turn;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use holdpoint_core::{Actor, Auth, Decision, OwnerKind, Span};
use holdpoint_engine::Embedded;
use holdpoint_engine::api::forms::{
    CHAT, CHAT_HEALTH, Forms, GET_FORM, LIST_FORMS, RESET_CHAT, VALIDATE_FORM,
};
use holdpoint_engine::llm::Reader;
use holdpoint_engine::settings;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

pub(crate) use begin::begin;
pub(crate) use clock::zone;
pub(crate) use forms::{listed, named};
use kept::Talk;
pub(super) use sessions::run_idle;
pub(crate) use talk::{Spoken, look, take};
pub(crate) use turn::fresh_id;

use super::App;
use super::problem::Answer;
use super::routes::Routes;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&CHAT, turn::chat)
        .on(&RESET_CHAT, sessions::reset)
        .on(&LIST_FORMS, |call| async move { Answer::Ok(Forms { schemas: listed(&call.app) }) })
        .on(&GET_FORM, forms::show)
        .on(&VALIDATE_FORM, forms::validate)
        .raw(&CHAT_HEALTH, sessions::health)
}

/// The conversations that are going on here.
#[derive(Debug)]
pub(crate) struct Chats {
    /// The folder that forms lie in.
    pub(crate) folder: PathBuf,
    /// How long one may lie idle before it is cancelled.
    pub(crate) idle: Span,
    /// Who finds out what people mean.
    pub(crate) reader: Arc<dyn Reader>,
    /// Commands that look something up for the page, by the tool's name.
    pub(crate) tools: BTreeMap<String, String>,
    talks: Mutex<HashMap<String, Arc<Mutex<Talk>>>>,
}

impl Chats {
    pub(crate) fn new(folder: PathBuf, forms: &settings::Forms, reader: Arc<dyn Reader>) -> Self {
        Self { folder, idle: forms.idle, reader, tools: forms.tools.clone(), talks: Mutex::default() }
    }
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) by: By,
    pub(crate) text: String,
}

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    Person,
    Form,
}

/// Returns the id under which a decision is talked about.
pub(crate) fn conversation_of(decision: &Decision) -> String {
    match &decision.owner {
        Some(owner) if owner.kind == OwnerKind::Chat => owner.id.clone(),
        _ => decision.id.to_string(),
    }
}

/// Returns the client that asks on behalf of the person who opens a form. It has nobody's credential: the person who
/// fills it in must be able to send it.
fn asker(app: &App) -> Embedded {
    let actor = Actor { auth: Auth::System, ..Actor::claimed("system:chat", "chat") };
    Embedded::acting(app.engine.clone(), actor)
}
