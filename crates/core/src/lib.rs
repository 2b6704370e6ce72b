//! The pure core of Holdpoint: what a decision is and what may happen to it.
//!
//! Values in, values out. Nothing here reads a clock, a file, a socket or a source of randomness; time and
//! fresh ids come in as arguments, so that the same input always gives the same output.
//!
//! The main flow: a [`Command`] is [`decide`]d on a [`State`], which gives a [`Ruling`] (events to record, effects to
//! carry out) or a [`Refusal`]; [`apply`] turns an event into the next state.
//!
//! ```
//! use std::sync::Arc;
//!
//! use holdpoint_core::decision::New;
//! use holdpoint_core::{Actor, Command, Field, Kind, Numbering, Opt, State};
//! use holdpoint_core::{Status, Timestamp, apply, decide};
//!
//! # fn main() -> Result<(), holdpoint_core::Refusal> {
//! let now = Timestamp::from_millis(1_763_164_800_000);
//! let mut state = State {
//!     fresh: Some(Numbering::new(7).id(1)),
//!     ..State::default()
//! };
//!
//! // An agent asks …
//! let options = vec![Opt::new("yes", "Deploy"), Opt::new("no", "Wait")];
//! let fields = vec![Field::offering("choice", Kind::Choice, "Deploy?", options)];
//! let new = New { prompt: Some("Deploy to production?".into()), fields, ..New::default() };
//! let ruling = decide(&state, &Actor::claimed("agent-7", "cli"), &Command::Create(Box::new(new)), now)?;
//! let asked = ruling.events.iter().fold(None, |decision, event| apply(decision, event, now));
//! state.decision = asked.map(Arc::new);
//!
//! // … and a person answers.
//! let id = state.decision()?.id;
//! let input = serde_json::from_str(r#"{"choice": "no"}"#).map(Box::new).expect("an answer");
//! let ruling = decide(&state, &Actor::claimed("ana", "cli"), &Command::Answer { id, input }, now)?;
//! let answered = apply(state.decision.map(Arc::unwrap_or_clone), &ruling.events[0], now).expect("a decision");
//! assert_eq!(answered.status, Status::Answered);
//! assert!(holdpoint_core::decision::is_refusal(&answered), "`no` is a no");
//! # Ok(())
//! # }
//! ```

mod about;
pub mod access;
mod actor;
mod apply;
mod command;
pub mod credential;
mod decide;
pub mod decision;
mod effect;
pub mod event;
pub mod field;
pub mod form;
mod id;
mod item;
pub mod job;
pub mod json;
pub mod log;
pub mod notify;
#[cfg(feature = "openapi")]
mod openapi;
pub mod people;
mod permission;
mod project;
mod refusal;
pub mod rule;
pub mod run;
pub mod search;
pub mod shape;
mod state;
mod tag;
pub mod text;
pub mod thread;
mod time;

pub use about::{OwnerAction, OwnerRef, Requested};
pub use actor::{Actor, Auth, ChannelMessage, MCP, Role};
pub use apply::apply;
pub use command::Command;
pub use credential::{PasswordHash, Person, SecretHash, Token};
pub use decide::decide;
pub use decision::{Answer, Decision, OnTimeout, Owner, OwnerKind, Priority, Source, Status};
pub use effect::{Effect, Lane, Occasion};
pub use event::Event;
pub use field::{Field, Kind, Opt};
pub use id::{DecisionId, Numbering};
pub use item::{Item, ItemStatus};
pub use job::{Job, JobCommand, JobKind, JobStatus};
pub use json::Values;
pub use log::{LogCommand, LogDigest};
pub use notify::Notify;
pub use permission::Permission;
pub use project::{Project, ProjectChange};
pub use refusal::{Class, FieldError, Refusal};
pub use rule::{NewRule, Rule, RuleCommand, RuleSet, RuleStatus};
pub use run::{Run, RunCommand, RunStatus};
pub use search::Search;
pub use shape::ShapeError;
pub use state::{Ruling, State};
pub use thread::Thread;
pub use time::{Span, Timestamp};
