//! Queries for decisions and events, and their results.

use holdpoint_core::{DecisionId, Owner, Search, Source, Status, Timestamp};

use crate::shared_decision::SharedDecision;

/// Selects the decisions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The project; all if none.
    pub project: Option<String>,
    /// The projects that the credential allows; all if empty.
    pub projects: Vec<String>,
    /// The agent whose view is listed, if any.
    pub seen_by: Option<SeenBy>,
    /// The statuses, as of `now`; all if empty.
    pub statuses: Vec<Status>,
    /// The source.
    pub source: Option<Source>,
    /// The owner.
    pub owner: Option<Owner>,
    /// The requester.
    pub requested_by: Option<String>,
    /// The digest of the question.
    pub digest: Option<String>,
    /// Only decisions that were settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// The search that they must match.
    pub search: Option<Search>,
    /// The order.
    pub order: Order,
    /// The cursor to continue after.
    pub cursor: Option<Cursor>,
    /// The maximum number.
    pub limit: usize,
    /// The time for evaluating deadlines.
    pub now: Option<Timestamp>,
    /// How much of long decisions is returned.
    pub detail: Detail,
}

/// How much of long decisions a list returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The whole decision.
    #[default]
    Whole,
    /// A short form; see [`holdpoint_core::decision::brief`].
    Brief,
}

/// A page of the log ends once it reaches this many bytes.
pub(crate) const EVENTS: usize = 4 << 20;

/// A page that is being filled.
#[derive(Default)]
pub(crate) struct PageBuilder {
    bytes: usize,
    pub(crate) page: Page,
}

impl PageBuilder {
    /// A page of a list ends once it reaches this many bytes, whatever the limit; at least one decision is returned.
    pub(crate) const MOST: usize = 4 << 20;

    /// Returns whether the page has room for another decision.
    pub(crate) fn has_room(&self, limit: usize) -> bool {
        let items = self.page.items.len();
        items < limit && (items == 0 || self.bytes < Self::MOST)
    }

    /// Adds a decision whose document has this many bytes.
    pub(crate) fn add(&mut self, decision: SharedDecision, bytes: usize) {
        self.bytes += bytes;
        self.page.items.push(decision);
    }
}

/// How many decisions are checked for one page of a search; a page that ends there may be empty.
pub(crate) const LOOKED_AT: usize = 10_000;

impl Query {
    /// Returns the search, unless it is empty.
    pub(crate) fn search(&self) -> Option<&Search> {
        self.search.as_ref().filter(|search| !search.is_empty())
    }
}

/// An agent, which sees what it asked and what is assigned to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenBy {
    /// The credential it asks with.
    pub credential: String,
    /// The assignee that it is, `agent:NAME`.
    pub assignee: String,
}

impl SeenBy {
    /// Returns the assignee as it appears in the column of all assignees: names are quoted there, so that none contains
    /// another.
    pub(crate) fn as_listed(&self) -> String {
        serde_json::Value::from(self.assignee.as_str()).to_string()
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In the order they were asked.
    #[default]
    OldestFirst,
    /// In reverse order.
    NewestFirst,
}

/// A position in a list; opaque to callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(pub i64);

/// One page of decisions, each as of the query's time.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The decisions.
    pub items: Vec<SharedDecision>,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// Selects the events to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// The sequence number to continue after.
    pub after: i64,
    /// The only decision.
    pub decision: Option<DecisionId>,
    /// The only project.
    pub project: Option<String>,
    /// The maximum number; fewer are returned if they are long, but at least one if there is any.
    pub limit: usize,
}

/// Selects messages of a thread by position; the first has 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageQuery {
    /// The position to start after.
    pub after: i64,
    /// The position to end before; none for the end.
    pub before: Option<i64>,
    /// The order.
    pub order: Order,
    /// The maximum number.
    pub limit: usize,
}

impl MessageQuery {
    /// Returns the versions between which the events are, exclusively. They are one higher than positions, because the
    /// first event opens the thread.
    pub(crate) fn versions(&self) -> (i64, i64) {
        let before = self.before.unwrap_or(i64::MAX);
        (self.after.max(0).saturating_add(1), before.saturating_add(1))
    }
}
