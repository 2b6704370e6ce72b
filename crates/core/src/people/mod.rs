//! Decisions that take several people: what is needed, who voted, which groups there are, and what a project demands.
//!
//! Votes are counted by person, never by name or credential. Casting one is `decision/vote.rs`.

mod needs;
mod policy;
mod roster;
mod tally;
mod voter;

use serde::{Deserialize, Serialize};

pub use needs::Needs;
pub use policy::{MatchedAsks, NewPolicy, Policy, PolicyCommand, fresh_id};
pub use roster::{GROUP, Group, GroupChange, Roster};
pub use tally::{Progress, Standing};

pub(crate) use needs::check;
pub(crate) use policy::{decide as decide_policy, tighten};
pub(crate) use roster::decide as decide_group;
pub(crate) use tally::standing;
pub(crate) use voter::{requester, voter};

use crate::json::Values;
use crate::{Auth, Timestamp};

/// What one person says to a decision that takes several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vote {
    /// The person.
    pub by: String,
    /// What they chose.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Values,
    /// The out that they took instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// Free words that go with it.
    pub message: Option<String>,
    /// Which of those who are needed they are: their name, or groups that they were in when they voted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts_for: Vec<String>,
    /// For a consent to a subject: whether they had the whole subject on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// The name of the token they voted with, where it is not their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Through which door.
    pub via: String,
    /// How surely we know who.
    pub auth: Auth,
    /// When.
    pub at: Timestamp,
}
