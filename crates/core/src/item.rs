//! Work items: what decisions are attached to. An item is blocked while a decision on it is pending.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A work item, identified by the id of its tracker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Item {
    /// Its id, e.g. `bd-abc123`.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// Its title.
    pub title: Option<String>,
    /// Whether a decision on it is pending.
    pub status: ItemStatus,
    /// How many decisions on it are pending.
    pub pending: u32,
    /// When it was added.
    pub created_at: Timestamp,
}

/// Whether an item is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// No decision on it is pending.
    Open,
    /// A decision on it is pending.
    Blocked,
}

impl ItemStatus {
    /// Returns the status of an item with this many pending decisions.
    pub fn of(pending: u32) -> Self {
        if pending > 0 { Self::Blocked } else { Self::Open }
    }
}
