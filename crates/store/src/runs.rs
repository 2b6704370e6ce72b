//! The part of the port about reading runs.

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;

use crate::error::Result;
use crate::{Logged, Order};

/// What a store knows about runs.
#[async_trait]
pub trait Runs {
    /// Returns a run.
    async fn run(&self, id: ObjectId) -> Result<Option<Run>>;

    /// Lists runs in the order they were started. The cost of a page does not depend on how many runs there are.
    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>>;

    /// Lists the runs whose id, or the short id at its end, starts or ends with a text, newest first. Whole ids and
    /// whole short ids are found by index, however many runs there are.
    async fn runs_named(&self, part: &NamePart, after: Option<ObjectId>, limit: usize) -> Result<Vec<Run>>;

    /// Reads all events of a run, oldest first.
    async fn run_events(&self, run: &Run) -> Result<Vec<Logged>>;
}

/// Selects the runs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQuery {
    /// The project; all if none.
    pub project: Option<String>,
    /// The task.
    pub task: Option<ObjectId>,
    /// The order.
    pub order: Order,
    /// The run to continue after.
    pub after: Option<ObjectId>,
    /// The maximum number.
    pub limit: usize,
}

/// The start or the end of a run's id or short id, with at least as many characters as the index of ends uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePart(String);

impl NamePart {
    /// The minimum number of characters.
    pub const LEAST: usize = 4;

    /// Reads what a person typed; none if it cannot be part of an id, or is too short.
    pub fn read(typed: &str) -> Option<Self> {
        let part = typed.trim().to_ascii_lowercase();
        let fits = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        (part.len() >= Self::LEAST && part.bytes().all(fits)).then_some(Self(part))
    }

    /// Returns the text as it appears in ids.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the characters that the index of ends uses.
    pub(crate) fn end(&self) -> &str {
        self.0.get(self.0.len() - Self::LEAST..).unwrap_or_default()
    }

    /// Returns the text if it may be the start of a short id.
    pub(crate) fn start_of_name(&self) -> Option<&str> {
        (self.0.len() < ObjectId::SHORT && !self.0.contains('-')).then_some(self.as_str())
    }

    /// Returns an upper bound of all ids that start with it.
    pub(crate) fn above(&self) -> String {
        format!("{}{BEYOND}", self.0)
    }

    /// Merges the lists of runs that were found in different ways, newest first.
    pub(crate) fn joined(lists: [Vec<Run>; 3], limit: usize) -> Vec<Run> {
        let mut all: Vec<Run> = lists.into_iter().flatten().collect();
        all.sort_by_key(|run| std::cmp::Reverse(run.id));
        all.dedup_by_key(|run| run.id);
        all.truncate(limit);
        all
    }
}

/// A character that sorts after all characters of ids.
pub(crate) const BEYOND: &str = "g";
