//! Several fields together: which are visible, and what makes their answer complete.

mod accept;
mod condition;

pub(crate) use accept::names;
pub use accept::{AcceptedValues, accept, accept_draft, next_unanswered, visible};
pub use condition::{Condition, Op, check_references};
