//! What runs and waits: submitting commands, waking waiters, deadlines, hooks, keys and receipts.
//!
//! [`Engine`] puts a store and a clock together. [`Client`] is what every door talks to: [`Embedded`] answers it
//! from a store in this process. Nothing here parses arguments, serves HTTP or draws.

pub mod auth;
mod client;
pub mod clock;
mod engine;
mod error;
mod escalation;
mod event_view;
mod fetch;
pub mod git;
mod group;
pub mod home;
pub mod hooks;
mod hub;
mod idempotency;
pub mod jobs;
pub mod keys;
pub mod llm;
pub mod log;
mod log_proof;
pub mod notify;
mod on_call;
mod outbox;
mod people;
mod problem;
pub mod receipt;
mod recorded;
pub mod rules;
pub mod run;
mod same;
mod service;
pub mod sessions;
pub mod settings;
mod simulate;
mod store_location;
pub mod thread;
pub mod tools;
mod wait;
pub mod witness;

pub use client::{
    AnswerBody, AnswerItem, AnswerItems, Answered, AnsweredItem, AnsweredItems, AnsweredSame, Channels,
    Client, Consumed, Created, Detail, Embedded, EventPage, Http, Jobs, ListQuery, Listed, Logs, People,
    RefusedItem, Rules, Runs, SnoozeBody, TakeBody, Threads,
};
pub use clock::Clock;
pub use engine::{Engine, Role};
pub use error::{Error, Result};
pub use escalation::{EscalationEntry, EscalationView};
pub use event_view::view as event_view;
pub use fetch::{Reach, fetch};
pub use home::Home;
pub use idempotency::KEY_LIFETIME;
pub use log_proof::{LogProof, ProvenEvent, SignedHead};
pub use notify::ChannelState;
pub use outbox::Undelivered;
pub use problem::Problem;
pub use settings::Settings;
pub use simulate::{SimulatedAsk, Simulation, SimulationInput};
pub use store_location::StoreLocation;

pub use holdpoint_core as core;
pub use holdpoint_store as store;
