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
