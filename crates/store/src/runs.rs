//! Runs, as they are read.

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;

use crate::error::Result;
use crate::{Logged, Order};

/// What a store knows of runs.
#[async_trait]
pub trait Runs {
    /// Returns a run.
    async fn run(&self, id: ObjectId) -> Result<Option<Run>>;

    /// Lists runs, in the order they were begun. What a page costs does not depend on how many there are.
    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>>;

    /// Lists the runs whose id, or the short name at its end, starts or ends with something, the newest first. Whole ids and
    /// whole short names are found by index, however many there are.
    async fn runs_named(&self, part: &NamePart, after: Option<ObjectId>, limit: usize) -> Result<Vec<Run>>;

    /// Reads all that happened to a run, oldest first.
    async fn run_events(&self, run: &Run) -> Result<Vec<Logged>>;
}

/// Which runs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQuery {
    /// In which project; all if none.
    pub project: Option<String>,
    /// At which task.
    pub task: Option<ObjectId>,
    /// Which end comes first.
    pub order: Order,
    /// After which run of this list.
    pub after: Option<ObjectId>,
    /// At most how many.
    pub limit: usize,
}

/// The start or the end of a run's id or short name, of at least as many characters as the index of ends has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePart(String);

impl NamePart {
    /// The fewest characters that name anything.
    pub const LEAST: usize = 4;

    /// Reads what somebody typed; nothing where that can be part of no id, or is too short.
    pub fn read(typed: &str) -> Option<Self> {
        let part = typed.trim().to_ascii_lowercase();
        let fits = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        (part.len() >= Self::LEAST && part.bytes().all(fits)).then_some(Self(part))
    }

    /// Returns it as ids are written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns what the index of ends has of it.
    pub(crate) fn end(&self) -> &str {
        self.0.get(self.0.len() - Self::LEAST..).unwrap_or_default()
    }

    /// Returns it where it may be the start of a short name.
    pub(crate) fn start_of_name(&self) -> Option<&str> {
        (self.0.len() < ObjectId::SHORT && !self.0.contains('-')).then_some(self.as_str())
    }

    /// Returns what comes after all ids that start with it.
    pub(crate) fn above(&self) -> String {
        format!("{}{BEYOND}", self.0)
    }

    /// Puts the lists of those that it names in one way or another together, the newest first.
    pub(crate) fn joined(lists: [Vec<Run>; 3], limit: usize) -> Vec<Run> {
        let mut all: Vec<Run> = lists.into_iter().flatten().collect();
        all.sort_by_key(|run| std::cmp::Reverse(run.id));
        all.dedup_by_key(|run| run.id);
        all.truncate(limit);
        all
    }
}

/// What no id has, and what comes after all that they have.
pub(crate) const BEYOND: &str = "g";
