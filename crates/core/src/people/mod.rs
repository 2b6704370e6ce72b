//! Decisions that take several people: required votes, votes, groups, stand-ins, policies of projects, and escalation.
//!
//! Votes are counted by person, never by name or credential. They are cast in `decision/vote.rs`.

mod absence;
mod escalation;
mod needs;
mod policy;
mod roster;
mod simulation;
mod tally;
mod voter;

use serde::{Deserialize, Serialize};

pub use absence::{Absence, AbsenceCommand, NewAbsence};
pub use escalation::{Escalation, EscalationStep, Occurrence};
pub use needs::Needs;
pub use policy::{MatchedAsks, NewPolicy, Policy, PolicyCommand, fresh_id};
pub use roster::{GROUP, Group, GroupChange, Roster};
pub use simulation::{Simulated, SimulatedNotice, SimulatedOutcome, outcome, simulate};
pub use tally::{Progress, VoteResult};

pub use absence::is_stand_in;
pub(crate) use absence::{decide as decide_absence, may_say as may_say_absent, stands_in};
pub(crate) use escalation::faults as escalation_faults;
pub(crate) use needs::check;
pub(crate) use policy::{check_from, decide as decide_policy, escalation as escalation_of, tighten};
pub(crate) use roster::decide as decide_group;
pub(crate) use tally::vote_result;
pub(crate) use voter::{requester, voter};

use crate::json::Values;
use crate::{Auth, ChannelMessage, Timestamp};

/// The vote of one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vote {
    /// The person.
    pub by: String,
    /// The absent person for whom they vote.
    #[serde(rename = "for", default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<String>,
    /// What they chose.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Values,
    /// The out that they took instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// An accompanying message.
    pub message: Option<String>,
    /// The names or groups in `needs` that the vote counts for, by membership when they voted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts_for: Vec<String>,
    /// For a consent to a subject: whether they had the whole subject on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<bool>,
    /// The name of the token they voted with, if it is not their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The entry point it came through.
    pub via: String,
    /// The account and the message it came by, if that was a channel with accounts; never shown to agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Box<ChannelMessage>>,
    /// How surely the voter's identity is known.
    pub auth: Auth,
    /// When it was cast.
    pub at: Timestamp,
}

impl Vote {
    /// Returns whose vote it is: each person has one, even if another person casts it.
    pub fn voter(&self) -> &str {
        self.on_behalf_of.as_deref().unwrap_or(&self.by)
    }

    /// Returns who cast it, and for whom: `ben for ana`.
    pub fn signed(&self) -> String {
        let by = crate::text::inert_line(&self.by);
        match &self.on_behalf_of {
            Some(away) => format!("{by} for {}", crate::text::inert_line(away)),
            None => by,
        }
    }
}
