//! The storage of decisions: the port, its drivers, and the suite that every driver passes.
//!
//! A driver loads what a batch of commands needs, lets the plan decide all of them in memory, and writes the outcome in
//! one transaction. There is no SQL outside the drivers' folders; nothing here waits, notifies or reads a clock.

pub mod audit;
mod body;
pub mod chain;
mod channels;
mod clock_step;
#[cfg(feature = "conformance")]
pub mod conformance;
mod credentials;
mod error;
mod feed;
pub mod history;
mod in_log;
mod jobs;
mod plan;
mod port;
#[cfg(feature = "postgres")]
pub mod postgres;
mod prefix;
mod push;
mod replay;
mod rules;
mod runs;
mod schema;
mod shared_decision;
pub mod sqlite;
pub mod transfer;
mod views;
pub mod vouch;

pub use channels::{ChannelNote, Channels, Happened, TrackedMessage};
pub use credentials::{Credentials, KnownPerson, LinkUse, Session};
pub use error::{Error, Result};
pub use feed::Listener;
pub use in_log::proven_job;
pub use jobs::{JobQuery, Jobs, Node, StoredJob};
pub use port::*;
pub use push::{Push, PushSubscription};
pub use rules::{roster, rule_uses, rules};
pub use runs::{NamePart, RunQuery, Runs};
pub use shared_decision::SharedDecision;
pub use views::{View, Views};
