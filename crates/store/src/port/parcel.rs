//! Outbox rows: taking them, and saying how their delivery went.

use holdpoint_core::{DecisionId, Lane, Timestamp};
use serde::{Deserialize, Serialize};

/// Which outbox rows to take, and for how long.
#[derive(Clone, Debug)]
pub struct Claim {
    /// From which lanes.
    pub lanes: Vec<Lane>,
    /// Which targets are left alone.
    pub but: Vec<String>,
    /// Only these targets; all if empty.
    pub only: Vec<String>,
    /// Who takes them.
    pub lease: String,
    /// Until when they are theirs.
    pub until: Timestamp,
    /// The time now.
    pub now: Timestamp,
    /// At most how many.
    pub limit: usize,
}

/// An outbox row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Parcel {
    /// Its id; receivers de-duplicate on it.
    pub id: i64,
    /// The event that ordered it.
    pub seq: i64,
    /// Its lane.
    pub lane: Lane,
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
pub enum ParcelState {
    /// Waiting to be delivered.
    Queued,
    /// Given up.
    Dead,
}

impl ParcelState {
    /// Returns the name used in JSON and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Dead => "dead",
        }
    }
}
