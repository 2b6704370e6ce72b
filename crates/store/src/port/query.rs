//! Which decisions and events are asked for, and how they come.

use holdpoint_core::{Decision, DecisionId, Owner, Search, Source, Status, Timestamp};

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
    /// Which ask this, by the digest of the question.
    pub digest: Option<String>,
    /// Settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// What is looked for in them.
    pub search: Option<Search>,
    /// Which end comes first.
    pub order: Order,
    /// After which cursor.
    pub cursor: Option<Cursor>,
    /// At most how many.
    pub limit: usize,
    /// The time at which deadlines are looked at.
    pub now: Option<Timestamp>,
    /// How much of long decisions is returned.
    pub detail: Detail,
}

/// How much of long decisions a list returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// All of it.
    #[default]
    Whole,
    /// What says what it is about; see [`holdpoint_core::decision::brief`].
    Brief,
}

/// A page of the log ends once it has this many bytes.
pub(crate) const EVENTS: usize = 4 << 20;

/// A page that is being filled.
#[derive(Default)]
pub(crate) struct Filling {
    bytes: usize,
    pub(crate) page: Page,
}

impl Filling {
    /// A page of a list ends once it has this many bytes, however many decisions were asked for; one is always returned.
    pub(crate) const MOST: usize = 4 << 20;

    /// Returns whether the page has room for another decision.
    pub(crate) fn has_room(&self, limit: usize) -> bool {
        let items = self.page.items.len();
        items < limit && (items == 0 || self.bytes < Self::MOST)
    }

    /// Adds a decision whose document has this many bytes.
    pub(crate) fn add(&mut self, decision: Decision, bytes: usize) {
        self.bytes += bytes;
        self.page.items.push(decision);
    }
}

/// How many decisions are looked at for one page of a search; a page that ends so may have none.
pub(crate) const LOOKED_AT: usize = 10_000;

impl Query {
    /// Returns what is looked for, if anything is.
    pub(crate) fn search(&self) -> Option<&Search> {
        self.search.as_ref().filter(|search| !search.is_empty())
    }
}

/// An agent: it sees what it asked, and what is assigned to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenBy {
    /// The credential it asks with.
    pub credential: String,
    /// The assignee that it is, `agent:NAME`.
    pub assignee: String,
}

impl SeenBy {
    /// Returns the assignee as it stands in the column of all assignees: a name is quoted there, so no other contains it.
    pub(crate) fn as_listed(&self) -> String {
        serde_json::Value::from(self.assignee.as_str()).to_string()
    }
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
    /// At most how many; fewer where they are long, but at least one if there is one.
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
