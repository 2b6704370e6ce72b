//! The pure core of Holdpoint: what a decision is and what may happen to it.
//!
//! Values in, values out. Nothing here reads a clock, a file, a socket or a source of randomness; time and
//! fresh ids come in as arguments, so that the same input always gives the same output.
//!
//! The way through: a [`Command`] is [`decide`]d on a [`State`], which gives a [`Ruling`] (events that record,
//! effects that wait) or a [`Refusal`]; [`apply`] turns an event into the next state.

mod apply;
mod command;
pub mod decision;
mod effect;
mod event;
pub mod field;
pub mod form;
mod id;
mod item;
pub mod json;
mod project;
mod refusal;
pub mod text;
mod time;

pub use apply::apply;
pub use command::{Actor, Auth, Command, Role, Ruling, State, decide};
pub use decision::{Answer, Decision, OnTimeout, Owner, OwnerKind, Priority, Source, Status};
pub use effect::{Effect, Lane, Occasion};
pub use event::{Act, Event};
pub use field::{Field, Kind, Opt};
pub use id::{DecisionId, Numbering};
pub use item::{Item, ItemStatus};
pub use json::Values;
pub use project::Project;
pub use refusal::{Class, Fault, Refusal};
pub use time::{Span, Timestamp};
