//! Which outbox rows are claimed: by lane, in which order, and how many.

use std::collections::BTreeMap;

use holdpoint_core::{Lane, Timestamp};

use super::OutboxEntry;

/// Which outbox rows to take, and for how long.
#[derive(Clone, Debug)]
pub struct Claim {
    /// From which lane.
    pub lane: Lane,
    /// Which of its rows come first.
    pub pick: Pick,
    /// Who takes them.
    pub lease: String,
    /// Until when they are theirs.
    pub until: Timestamp,
    /// The time now.
    pub now: Timestamp,
    /// At most how many.
    pub limit: usize,
}

/// Which of the rows that are due are taken.
#[derive(Clone, Debug)]
pub enum Pick {
    /// Those that are due for longest.
    Oldest {
        /// Only these targets; all if empty.
        only: Vec<String>,
        /// Not these targets.
        but: Vec<String>,
    },
    /// One of each project in turn, and within a project one of each target, so that a burst delays only itself.
    InTurn {
        /// How many rows of one target may be under way.
        each: usize,
        /// How many are, by target.
        busy: BTreeMap<String, usize>,
        /// Who had the last turn.
        turns: Turns,
    },
    /// All those of one target: the one that is due for longest.
    Together,
    /// Those of one target in the order they were ordered; none while the first of them waits.
    InOrder {
        /// The target's project.
        project: String,
        /// The target.
        target: String,
    },
}

/// Who had the last turn, so that the next claim goes on after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    project: Option<String>,
    targets: BTreeMap<String, String>,
}

impl Turns {
    /// How many projects are remembered. Beyond that all begin with their first target again.
    const MOST: usize = 10_000;

    /// Remembers that a row had its turn.
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
