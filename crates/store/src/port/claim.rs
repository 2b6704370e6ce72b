//! Claims: which outbox rows are taken, in which order, and how many.

use std::collections::BTreeMap;

use holdpoint_core::{Lane, Timestamp};

use super::OutboxEntry;

/// Selects outbox rows to claim, and for how long.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The lane.
    pub lane: Lane,
    /// The order in which its rows are picked.
    pub pick: ClaimOrder,
    /// The name of the lease, which identifies the claimer.
    pub lease: String,
    /// When the lease ends.
    pub until: Timestamp,
    /// The time now.
    pub now: Timestamp,
    /// The maximum number of rows.
    pub limit: usize,
}

/// The order in which due rows are picked.
#[derive(Clone, Debug)]
pub enum ClaimOrder {
    /// The rows that have been due for longest.
    Oldest {
        /// Only these targets; all if empty.
        only: Vec<String>,
        /// These targets are left out.
        but: Vec<String>,
    },
    /// One of each project in turn, and within a project one of each target, so that a burst delays only itself.
    InTurn {
        /// How many rows of one target may be in progress.
        each: usize,
        /// How many are in progress, by target.
        busy: BTreeMap<String, usize>,
        /// The state of the rotation.
        turns: Rotation,
    },
    /// All rows of one target: the one with the row that has been due for longest.
    Together,
    /// The rows of one target in their order of creation; none while the first of them waits.
    InOrder {
        /// The target's project.
        project: String,
        /// The target.
        target: String,
    },
}

/// The state of the rotation, so that the next claim continues after the last turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    project: Option<String>,
    targets: BTreeMap<String, String>,
}

impl Rotation {
    /// How many projects are remembered. Beyond that, all projects begin with their first target again.
    const MOST: usize = 10_000;

    /// Records that a row had its turn.
    pub fn took(&mut self, entry: &OutboxEntry) {
        self.passed(&entry.project, &entry.target);
    }

    pub(crate) fn passed(&mut self, project: &str, target: &str) {
        if self.targets.len() >= Self::MOST && !self.targets.contains_key(project) {
            self.targets.clear();
        }
        self.project = Some(project.to_owned());
        self.targets.insert(project.to_owned(), target.to_owned());
    }

    /// Returns the project that had the last turn.
    pub(crate) fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    /// Returns the target that had the last turn, by project.
    pub(crate) fn targets(&self) -> &BTreeMap<String, String> {
        &self.targets
    }
}
