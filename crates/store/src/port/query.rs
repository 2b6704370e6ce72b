//! Which decisions and events are asked for, and how they come.

use holdpoint_core::{Decision, DecisionId, Owner, Source, Status, Timestamp};

/// Which decisions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// In which project; all if none.
    pub project: Option<String>,
    /// In which projects besides, as the credential allows; all if empty.
    pub projects: Vec<String>,
    /// Only what an agent may see.
    pub seen_by: Option<SeenBy>,
    /// In which statuses, as of `now`; all if empty.
    pub statuses: Vec<Status>,
    /// From which source.
    pub source: Option<Source>,
    /// Of which owner.
    pub owner: Option<Owner>,
    /// Asked by whom.
    pub requested_by: Option<String>,
    /// Settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// Which end comes first.
    pub order: Order,
    /// After which cursor.
    pub cursor: Option<Cursor>,
    /// At most how many.
    pub limit: usize,
    /// The time at which deadlines are looked at.
    pub now: Option<Timestamp>,
}

/// An agent: it sees what it asked, and what is assigned to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenBy {
    /// The credential it asks with.
    pub credential: String,
    /// The assignee that it is, `agent:NAME`.
    pub assignee: String,
}

/// Which end of a list comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that was asked first.
    #[default]
    OldestFirst,
    /// The one that was asked last.
    NewestFirst,
}

/// A place in a list; opaque to callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(pub i64);

/// One page of decisions, each as of the query's time.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The decisions.
    pub items: Vec<Decision>,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// Which events to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// After which sequence number.
    pub after: i64,
    /// Of which decision only.
    pub decision: Option<DecisionId>,
    /// Of which project only.
    pub project: Option<String>,
    /// At most how many.
    pub limit: usize,
}

/// Which messages of a thread to read, by their places; the first has 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageQuery {
    /// After which place.
    pub after: i64,
    /// Before which place; to the end if none.
    pub before: Option<i64>,
    /// Which end comes first.
    pub order: Order,
    /// At most how many.
    pub limit: usize,
}

impl MessageQuery {
    /// Returns the versions between which the events lie, both excluded: one event opens the thread.
    pub(crate) fn versions(&self) -> (i64, i64) {
        let before = self.before.unwrap_or(i64::MAX);
        (self.after.max(0).saturating_add(1), before.saturating_add(1))
    }
}
