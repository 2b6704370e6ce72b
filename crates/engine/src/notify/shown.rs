//! How much of a decision goes out: by its project, or as the channel says.

use std::collections::BTreeMap;

use holdpoint_core::Decision;
use holdpoint_protocols::channel::DetailLevel;

/// How much the messages of a channel show.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    usual: DetailLevel,
    projects: BTreeMap<String, DetailLevel>,
}

impl Shown {
    /// Combines what the channel says with what the settings say about projects.
    pub(super) fn new(usual: DetailLevel, projects: &BTreeMap<String, DetailLevel>) -> Self {
        Self { usual, projects: projects.clone() }
    }

    /// Returns how much of a decision is shown.
    pub(super) fn of(&self, decision: &Decision) -> DetailLevel {
        *self.projects.get(&decision.project).unwrap_or(&self.usual)
    }
}
