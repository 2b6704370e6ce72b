//! Threads: the messages between parties, in order, and the decisions that come from them.
//!
//! A thread's messages are its stream in the log and are stored nowhere else. A message that asks the other side for a
//! decision, or reports the outcome of one, only names the decision: its wording is up to a protocol.

mod create;
mod follow;
mod post;
mod speaker;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::decision::{Owner, OwnerKind};
use crate::{Actor, Auth, Decision, DecisionId, Timestamp};

pub use create::NewThread;
pub use post::{Post, ThreadAction};

pub(crate) use create::create;
pub(crate) use follow::follow;
pub(crate) use post::post;

/// A conversation between parties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// `thr-` and twelve characters.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// The thread it was forked from.
    pub parent_id: Option<String>,
    /// The participants, as its creator named them.
    pub actors: Vec<Participant>,
    /// The assignees of decisions that come up in it; anyone if empty.
    pub assignees: Vec<String>,
    /// Other data about it.
    pub metadata: Map<String, Value>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// Who opened it.
    pub created_by: String,
    /// The credential it was opened with; never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_with: Option<String>,
}

impl Thread {
    /// Returns the owner of decisions that come up in it.
    pub fn owner(&self) -> Owner {
        Owner::new(OwnerKind::Thread, &self.id)
    }

    /// Returns whether a decision came up in it.
    pub fn owns(&self, decision: &Decision) -> bool {
        decision.project == self.project
            && decision
                .owner
                .as_ref()
                .is_some_and(|owner| owner.kind == OwnerKind::Thread && owner.id == self.id)
    }

    /// Returns the name of an actor in the thread if the actor claims none.
    pub fn name_of(&self, actor: &Actor) -> String {
        speaker::own_name(self, actor)
    }

    /// Finds a participant.
    pub fn actor(&self, id: &str) -> Option<&Participant> {
        self.actors.iter().find(|actor| actor.id == id)
    }
}

/// A participant of a thread, under a name that is valid only there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Participant {
    /// The name.
    pub id: String,
    /// The program that they use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The addresses of the schemas that they support.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Other data about them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// The side of a thread that a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The actor who opened the thread, even a program.
    User,
    /// Any other participant.
    Assistant,
}

/// A message, as recorded in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posted {
    /// The thread.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// The speaker's name in the thread.
    pub actor: String,
    /// The speaker's side.
    pub role: Side,
    /// The content: plain text, or messages of a protocol.
    pub content: Vec<String>,
    /// The attachments, by reference.
    pub attachments: Vec<Value>,
    /// Other data about it.
    pub metadata: Map<String, Value>,
    /// The decisions that it opened, answered or reported on.
    pub decisions: Vec<DecisionId>,
    /// Who sent it.
    pub by: String,
    /// The entry point it came through.
    pub via: String,
    /// How surely the sender's identity is known.
    pub auth: Auth,
}

/// A report by another party about a decision: a payment's confirmation, a transaction's hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// The name of the message in its protocol.
    pub message: String,
    /// The whole message.
    pub content: Value,
    /// The thread it came in.
    pub thread: String,
    /// The sender of the message.
    pub by: String,
    /// The name they used in the thread, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// How surely the sender is known; absent in reports from before this was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// Whether it had been approved at that time; absent if it needs no approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// When it was reported.
    pub at: Timestamp,
}

/// Holdpoint's own name in a thread.
pub const SELF: &str = "holdpoint";
/// How many reports a decision keeps; further ones are in the thread only.
pub(crate) const MOST_REPORTS: usize = 20;
