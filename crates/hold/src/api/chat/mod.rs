//! Forms in conversation: the action protocol under `/api`, and the page that talks the same way.
//!
//! A conversation is a form decision being drafted: its values are the draft, its id is the owner `chat:ID`; any other
//! decision is talked about under its own id. What is kept here is only how far the talk has come and what was said;
//! after a restart, or on another node, it goes on from the draft.

mod begin;
mod clock;
pub(super) mod forms;
pub(super) mod sessions;
mod talk;
pub(super) mod turn;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use holdpoint_core::{Actor, Auth, Decision, DecisionId, OwnerKind, Span, Timestamp, Values};
use holdpoint_engine::Embedded;
use holdpoint_engine::llm::Reader;
use holdpoint_engine::settings::Forms;
use holdpoint_protocols::action::conversation;
use holdpoint_protocols::action::form::Form;
use tokio::sync::Mutex;

pub(crate) use begin::begin;
pub(crate) use clock::zone;
pub(crate) use forms::{Listed, listed, named};
pub(super) use sessions::run_idle;
pub(crate) use talk::{Spoken, look, take};
pub(crate) use turn::fresh_id;

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
    /// Who finds out what people mean.
    pub(crate) reader: Arc<dyn Reader>,
    /// Commands that look something up for the page, by the tool's name.
    pub(crate) tools: BTreeMap<String, String>,
    talks: Mutex<HashMap<String, Arc<Mutex<Talk>>>>,
    /// What was said in the last conversations that are over, for whoever still looks at them.
    over: Mutex<VecDeque<(DecisionId, Vec<Line>)>>,
}

impl Chats {
    pub(crate) fn new(folder: PathBuf, forms: &Forms, reader: Arc<dyn Reader>) -> Self {
        Self {
            folder,
            idle: forms.idle,
            reader,
            tools: forms.tools.clone(),
            talks: Mutex::default(),
            over: Mutex::default(),
        }
    }

    /// Keeps what was said in a conversation that is over.
    async fn keep(&self, decision: DecisionId, lines: Vec<Line>) {
        let mut over = self.over.lock().await;
        if over.len() >= KEPT {
            over.pop_front();
        }
        over.push_back((decision, lines));
    }
}

/// How many conversations that are over can still be looked at.
const KEPT: usize = 100;

/// How many things that were said are kept for the page.
const REMEMBERED: usize = 200;

/// One conversation.
#[derive(Debug)]
struct Talk {
    decision: DecisionId,
    form: Form,
    state: conversation::State,
    /// The draft as the conversation left it; another one was made in another place.
    seen: Values,
    /// Where the person's clock hangs.
    zone: jiff::tz::TimeZone,
    lines: Vec<Line>,
    touched: Timestamp,
    /// Whether nothing is known of it but the draft.
    strange: bool,
}

impl Talk {
    fn say(&mut self, by: By, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.lines.len() >= REMEMBERED {
            self.lines.remove(0);
        }
        self.lines.push(Line { by, text: text.to_owned() });
    }
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) by: By,
    pub(crate) text: String,
}

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Returns the client that asks on behalf of whoever opens a form. Nobody's credential: the one who fills it in must
/// be able to send it.
fn asker(app: &App) -> Embedded {
    let actor = Actor { auth: Auth::System, ..Actor::claimed("system:chat", "chat") };
    Embedded::acting(app.engine.clone(), actor)
}
