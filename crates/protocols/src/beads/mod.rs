//! Decision points on work items, in the form of `bd decision`: one question, one choice, free text allowed.
//!
//! In: [`create`] and [`respond`]. Out: [`DecisionPoint`] and the text for an agent by [`inject`].

mod create;
mod inject;
mod reply;
mod respond;
mod view;

pub use create::{Create, DEFAULT_TIMEOUT, create};
pub use inject::{Check, Response, check, inject};
pub use respond::{Respond, respond};
pub use view::{DecisionPoint, PointOption, below, issue, parent, view};

/// The id of the only field of a decision point.
pub const FIELD: &str = "choice";
