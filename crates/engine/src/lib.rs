//! What runs and waits: submitting commands, waking waiters, deadlines, hooks, keys and receipts.
//!
//! [`Engine`] puts a store and a clock together. [`Client`] is the interface for every door: [`Embedded`] implements it
//! on a store in this process. Nothing here parses arguments, serves HTTP or draws.
//!
//! ```toml
//! [dependencies]
//! holdpoint-engine = { version = "0.1", default-features = false }
//! ```
//!
//! ```no_run
//! use holdpoint_engine::core::decision::New;
//! use holdpoint_engine::{Client, Embedded, Engine, Home, Role};
//!
//! # async fn ask() -> holdpoint_engine::Result<()> {
//! let engine = Engine::open(&Home::at("/var/lib/my-agent"), None, Role::Writer).await?;
//! let client = Embedded::new(engine, "my-agent", "library");
//! let new = New { prompt: Some("Deploy to production?".into()), ..New::default() };
//! let asked = client.create(new, None).await?.decision;
//! let settled = client.wait(asked.id, None).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! A program that asks and waits needs none of them: with `default-features = false` the engine submits, waits, fires
//! deadlines, keeps the outbox, runs hooks and signs. What it cannot send itself it leaves in the outbox for a process that
//! can, such as `hold serve`. All but `openapi` and `postgres` are on by default:
//!
//! | feature | what it adds |
//! |---|---|
//! | `agents` | jobs, and sessions: agents in separate terminals (with `runs`) |
//! | `http-client` | `Http`, the client that talks to a server, and the endpoints of one; it knows all that a server does, so it brings the features above and below it |
//! | `llm` | language models as readers of forms |
//! | `notify` | webhooks, callbacks, mail, ntfy, Telegram, Slack and Web Push |
//! | `runs` | runs on git repositories |
//! | `threads` | AITP threads, whose forms may be fetched |
//! | `postgres` | stores in PostgreSQL |
//! | `openapi` | schemas of what a server sends and takes |

#[cfg(feature = "http-client")]
pub mod api;
pub mod auth;
mod client;
pub mod clock;
mod engine;
mod error;
mod escalation;
mod event_view;
#[cfg(feature = "threads")]
mod fetch;
#[cfg(feature = "runs")]
pub mod git;
mod group;
pub mod home;
pub mod hooks;
mod hub;
mod idempotency;
#[cfg(feature = "agents")]
pub mod jobs;
pub mod keys;
mod large;
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
pub mod rotation;
pub mod rules;
#[cfg(feature = "runs")]
pub mod run;
mod same;
mod search_index;
mod service;
#[cfg(feature = "agents")]
pub mod sessions;
pub mod settings;
mod simulate;
mod store_location;
#[cfg(feature = "threads")]
pub mod thread;
pub mod tools;
pub mod views;
mod visible;
mod wait;
pub mod witness;

pub use client::{
    Admin, AnswerBody, AnswerItem, AnswerItems, Answered, AnsweredItem, AnsweredItems, AnsweredSame,
    Channels, Client, Consumed, Created, Detail, Embedded, EventPage, Jobs, ListQuery, Listed, Logs, People,
    Projects, RefusedItem, Rules, Runs, Shown, SnoozeBody, TakeBody, Threads, Views,
};
#[cfg(feature = "http-client")]
pub use client::{Http, OpeningClient, ServerLocator};
pub use clock::Clock;
pub use engine::{Engine, Role};
pub use error::{Error, Result};
pub use escalation::{EscalationEntry, EscalationView};
pub use event_view::view as event_view;
#[cfg(feature = "threads")]
pub use fetch::{FetchScope, fetch};
pub use home::Home;
pub use idempotency::KEY_LIFETIME;
pub use log_proof::{LogProof, ProvenEvent, SignedHead};
pub use notify::NotifyView;
#[cfg(feature = "notify")]
pub use notify::{ChannelState, ChannelTested};
pub use outbox::Undelivered;
pub use problem::Problem;
pub use settings::Settings;
pub use simulate::{SimulatedAsk, Simulation, SimulationInput};
pub use store_location::StoreLocation;
pub use visible::VisibleDecision;
pub use wait::WaitOutcome;

pub use holdpoint_core as core;
pub use holdpoint_store as store;
