//! Outbox rows: claiming them, and recording the results of their delivery.

use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use serde::{Deserialize, Serialize};

/// The minimum time that a held-back row stays deliverable once it is due.
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
    /// The recipient.
    pub target: String,
    /// The decision it is about.
    pub decision: Option<DecisionId>,
    /// How often delivery was tried before.
    pub attempts: u32,
    /// When delivery is too late.
    pub not_after: Timestamp,
    /// The last error.
    pub last_error: Option<String>,
    /// Why it is held back until it is due, if its recipient prefers to get it later.
    #[serde(default)]
    pub held: Option<String>,
}

impl OutboxEntry {
    /// Returns the channel whose messages it is about: its lane, or the one that an update names.
    pub fn channel(&self) -> Lane {
        let named = self.target.split(' ').next().and_then(Lane::from_name);
        named.filter(|_| self.lane == Lane::Follow).unwrap_or(self.lane)
    }

    /// Returns the decision that it is about, even if that was removed and only an update still names it.
    pub fn about(&self) -> Option<DecisionId> {
        let named = || self.target.split_once(' ').and_then(|(_, id)| id.parse().ok());
        self.decision.or_else(|| named().filter(|_| self.lane == Lane::Follow))
    }
}

/// The result of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It arrived; the row is deleted.
    Done,
    /// It failed: try again at a time, or give up if that is too late.
    Retry {
        /// When to try again.
        not_before: Timestamp,
        /// The error.
        error: String,
    },
    /// It did not fail: its recipient prefers to get it later.
    Held {
        /// When it is due.
        until: Timestamp,
        /// The lane to use then.
        lane: Lane,
        /// The reason, as text.
        why: String,
    },
    /// It can never be delivered.
    Dead {
        /// The error.
        error: String,
    },
    /// It should be tried again until a time, even if given up before.
    Resend {
        /// When delivery is too late.
        not_after: Timestamp,
    },
}

/// The state of an outbox row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Waiting to be delivered.
    Queued,
    /// Given up.
    Dead,
}

/// The numbers of undelivered outbox rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many are waiting.
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
