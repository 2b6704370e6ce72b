//! Threads: what parties say to each other, in order, and which decisions come of it.
//!
//! A thread's messages are its stream in the log and are kept nowhere else. A message that asks the other side for a
//! decision, or reports the outcome of one, only names the decision: how it is worded is up to a protocol.

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
    /// Where it belongs.
    pub project: String,
    /// The thread it was forked from.
    pub parent_id: Option<String>,
    /// Who takes part, as its creator says.
    pub actors: Vec<Participant>,
    /// Who is asked what comes up in it; anyone if empty.
    pub assignees: Vec<String>,
    /// Whatever else was said of it.
    pub metadata: Map<String, Value>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
    /// The credential it was opened with; shown by no door.
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

    /// Returns the name under which somebody speaks in it who claims none.
    pub fn name_of(&self, actor: &Actor) -> String {
        speaker::own_name(self, actor)
    }

    /// Finds someone who takes part.
    pub fn actor(&self, id: &str) -> Option<&Participant> {
        self.actors.iter().find(|actor| actor.id == id)
    }
}

/// Someone who takes part in a thread, under a name that counts there only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Participant {
    /// The name.
    pub id: String,
    /// The program they use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The addresses of what they understand.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Whatever else was said of them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// Which side of a thread speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The actor who opened the thread, even a program.
    User,
    /// Anybody else.
    Assistant,
}

/// A message, as the log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posted {
    /// The thread.
    pub id: String,
    /// Where it belongs.
    pub project: String,
    /// Who speaks, as they are called in the thread.
    pub actor: String,
    /// Which side that is.
    pub role: Side,
    /// What is said: plain words, or messages of a protocol.
    pub content: Vec<String>,
    /// What is attached, by reference.
    pub attachments: Vec<Value>,
    /// Whatever else was said of it.
    pub metadata: Map<String, Value>,
    /// The decisions that it opened, answered or reported on.
    pub decisions: Vec<DecisionId>,
    /// Who sent it.
    pub by: String,
    /// Through which door.
    pub via: String,
    /// How surely we know who.
    pub auth: Auth,
}

/// What another party says came of a decision: a payment's confirmation, a transaction's hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// What it is called in its protocol.
    pub message: String,
    /// The whole message.
    pub content: Value,
    /// The thread it came in.
    pub thread: String,
    /// The sender of the message.
    pub by: String,
    /// The name they spoke under in the thread, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// How surely it is known who said so; not recorded of what was said before this was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// Whether the thing had been approved when it was said; nothing where it needs no approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// When.
    pub at: Timestamp,
}

/// The name Holdpoint speaks under in a thread.
pub const SELF: &str = "holdpoint";
/// How many reports a decision keeps; more are in the thread only.
pub(crate) const MOST_REPORTS: usize = 20;
