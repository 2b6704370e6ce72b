//! Threads and messages as they are sent.

use holdpoint_core::Thread;
use holdpoint_core::text::{inert_line, quote};
use holdpoint_core::thread::{Posted, SELF, Side};
use holdpoint_core::{Auth, Decision, DecisionId, Event, Timestamp};
use holdpoint_protocols::aitp::thread::{question_parts, replied};
use holdpoint_store::Logged;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A thread as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Thread))]
pub struct View {
    /// `thr-` and twelve characters.
    pub id: String,
    /// `thread`.
    pub object: String,
    /// When it was opened, in seconds.
    pub created_at: i64,
    /// `project`, `parent_id`, `actors`, `assignees`, `created_by`, and other metadata.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub metadata: Map<String, Value>,
    /// The requested messages.
    pub messages: Vec<Message>,
}

/// A message as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ThreadMessage))]
pub struct Message {
    /// `msg-`, the thread's characters, and its place.
    pub id: String,
    /// `thread.message`.
    pub object: String,
    /// When it was posted, in seconds.
    pub created_at: i64,
    /// The thread.
    pub thread_id: String,
    /// `user` for the actor who opened the thread, else `assistant`.
    pub role: String,
    /// The content: plain text, and messages of AITP.
    pub content: Vec<String>,
    /// What is attached.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub attachments: Vec<Value>,
    /// `actor`, `by`, `auth`, `decisions`, and other metadata.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub metadata: Map<String, Value>,
}

impl View {
    pub(super) fn of(thread: Thread, messages: Vec<Message>) -> Self {
        let mut metadata = thread.metadata;
        metadata.insert("project".into(), thread.project.into());
        metadata.insert("parent_id".into(), json!(thread.parent_id));
        metadata.insert("actors".into(), json!(thread.actors));
        metadata.insert("assignees".into(), json!(thread.assignees));
        metadata.insert("created_by".into(), thread.created_by.into());
        Self {
            id: thread.id,
            object: "thread".into(),
            created_at: seconds(thread.created_at),
            metadata,
            messages,
        }
    }
}

impl Message {
    /// Returns its position in the thread, from 1.
    pub fn position(&self) -> Option<i64> {
        parse_position(&self.id)
    }

    /// Returns the decisions that it opened, answered, reported on or tells of.
    pub fn decisions(&self) -> Vec<DecisionId> {
        let ids = self.metadata.get("decisions").and_then(Value::as_array).into_iter().flatten();
        ids.filter_map(|id| id.as_str()?.parse().ok()).collect()
    }

    /// Returns whether Holdpoint itself posted it, as opposed to someone using its name.
    pub fn is_ours(&self) -> bool {
        self.text("auth") == Auth::System.name()
    }

    /// Returns the author, for people: the sender, and the name they speak under if that differs.
    pub fn sender(&self) -> String {
        sender(self.text("by"), Some(self.text("actor")).filter(|_| !self.is_ours()))
    }

    fn text(&self, name: &str) -> &str {
        self.metadata.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Formats the author of a message, for people: the sender, and the name they speak under if that differs.
pub fn sender(by: &str, actor: Option<&str>) -> String {
    match actor.filter(|actor| *actor != by) {
        Some(actor) => format!("{}, as {}", inert_line(by), quote(actor)),
        None => inert_line(by),
    }
}

/// Returns the position in a message's id.
pub(super) fn parse_position(id: &str) -> Option<i64> {
    id.strip_prefix("msg-")?.rsplit_once('-')?.1.parse().ok()
}

/// Returns the decision of a message that only refers to one.
pub(super) fn names(event: &Event) -> Option<DecisionId> {
    match event {
        Event::ThreadAsked { decision_id, .. } | Event::ThreadReplied { decision_id, .. } => {
            Some(*decision_id)
        }
        _ => None,
    }
}

/// Converts an event of a thread's stream to a message; none if it is not one.
pub(super) fn message(
    thread: &Thread,
    logged: &Logged,
    event: Event,
    decision: Option<&Decision>,
) -> Option<Message> {
    let ours = |content: Vec<String>, id: DecisionId| Posted {
        id: thread.id.clone(),
        project: thread.project.clone(),
        actor: SELF.into(),
        role: Side::Assistant,
        content,
        attachments: Vec::new(),
        metadata: Map::new(),
        decisions: vec![id],
        by: SELF.into(),
        via: "thread".into(),
        auth: Auth::System,
    };
    let gone = || vec!["This was removed.".to_owned()];
    let posted = match event {
        Event::ThreadPosted(posted) => *posted,
        Event::ThreadAsked { decision_id, .. } => {
            ours(decision.map_or_else(gone, |decision| question_parts(thread, decision)), decision_id)
        }
        Event::ThreadReplied { decision_id, .. } => ours(decision.map_or_else(gone, replied), decision_id),
        _ => return None,
    };
    let mut metadata = posted.metadata;
    metadata.insert("actor".into(), posted.actor.into());
    // Replies are recorded as the system's; people know it by one name.
    let by = if posted.auth == Auth::System { SELF.to_owned() } else { posted.by };
    metadata.insert("by".into(), by.into());
    metadata.insert("auth".into(), posted.auth.name().into());
    metadata.insert("decisions".into(), json!(posted.decisions));
    let role = match posted.role {
        Side::User => "user",
        Side::Assistant => "assistant",
    };
    Some(Message {
        id: format!("msg-{}-{}", thread.id.trim_start_matches("thr-"), logged.version - 1),
        object: "thread.message".into(),
        created_at: seconds(logged.at),
        thread_id: thread.id.clone(),
        role: role.into(),
        content: posted.content,
        attachments: posted.attachments,
        metadata,
    })
}

fn seconds(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(1_000)
}
