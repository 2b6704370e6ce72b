//! Outbox rows: taking them, and saying how their delivery went.

use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use serde::{Deserialize, Serialize};

/// How long what was held back is worth delivering once it is due, at least.
pub(crate) const HELD_WORTH: Span = Span::from_secs(24 * 60 * 60);

/// An outbox row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutboxEntry {
    /// Its id; receivers de-duplicate on it.
    pub id: i64,
    /// The event that ordered it.
    pub seq: i64,
    /// Its lane.
    pub lane: Lane,
    /// The project it belongs to.
    pub project: String,
    /// Where it goes.
    pub target: String,
    /// The decision it is about.
    pub decision: Option<DecisionId>,
    /// How often delivery was tried before.
    pub attempts: u32,
    /// When it is too late.
    pub not_after: Timestamp,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// Why it is held back until it is due, where its receiver wants it later.
    #[serde(default)]
    pub held: Option<String>,
}

impl OutboxEntry {
    /// Returns the channel whose messages it is about: its lane, or the one that a change names.
    pub fn channel(&self) -> Lane {
        let named = self.target.split(' ').next().and_then(Lane::from_name);
        named.filter(|_| self.lane == Lane::Follow).unwrap_or(self.lane)
    }

    /// Returns the decision that it is about, also where that is gone and only a change still names it.
    pub fn about(&self) -> Option<DecisionId> {
        let named = || self.target.split_once(' ').and_then(|(_, id)| id.parse().ok());
        self.decision.or_else(|| named().filter(|_| self.lane == Lane::Follow))
    }
}

/// How a delivery went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It arrived; the row goes.
    Done,
    /// Not yet: again at a time, or dead if that is too late.
    Retry {
        /// When to try again.
        not_before: Timestamp,
        /// What went wrong.
        error: String,
    },
    /// Nothing went wrong: its receiver wants it later.
    Held {
        /// When it is due.
        until: Timestamp,
        /// In which lane.
        lane: Lane,
        /// Why, in words.
        why: String,
    },
    /// It never will.
    Dead {
        /// What went wrong.
        error: String,
    },
    /// Someone wants it tried again, dead or not, until a time.
    Resend {
        /// When it is too late.
        not_after: Timestamp,
    },
}

/// Where an outbox row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Waiting to be delivered.
    Queued,
    /// Given up.
    Dead,
}

/// How many outbox rows are not delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many wait.
    pub queued: u64,
    /// How many were given up.
    pub dead: u64,
}

impl OutboxState {
    /// Returns the name used in JSON and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Dead => "dead",
        }
    }
}
