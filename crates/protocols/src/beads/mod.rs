//! Decision points on work items, as `bd decision` knows them: one question, one choice, free text allowed.
//!
//! In: [`create`] and [`respond`]. Out: [`DecisionPoint`] and what an agent is told by [`inject`].

mod create;
mod inject;
mod reply;
mod respond;
mod view;

pub use create::{Create, DEFAULT_TIMEOUT, create};
pub use inject::{Check, Response, check, inject};
pub use respond::{Respond, respond};
pub use view::{DecisionPoint, PointOption, below, issue, parent, view};

/// The id of the one field that a decision point asks.
pub const FIELD: &str = "choice";
