//! The HTTP door: what programs in any language and on any machine use. Handlers translate; the engine decides.

mod accept;
mod admin;
mod aitp;
mod attempts;
mod body;
mod caller;
pub(crate) mod chat;
mod client_address;
mod decisions;
mod events;
mod guard;
mod health;
mod held_requests;
mod hooks;
mod humanlayer;
mod in_flight;
mod jobs;
mod limits;
mod log;
mod mcp;
mod metrics;
mod openapi;
mod path;
mod people;
mod prefixes;
mod problem;
mod projects;
mod push;
mod query;
mod reply;
mod router;
mod routes;
mod rules;
mod runs;
mod server;
mod tail;
mod views;
mod write_timeout;

pub(crate) use caller::{COOKIE, Caller, Doors, LocalDoor, Mode, cookie};
pub(crate) use chat::Chats;
pub(crate) use client_address::{ClientAddress, TrustedProxies};
pub(crate) use decisions::answer_each;
pub(crate) use guard::Hosts;
pub(crate) use holdpoint_engine::api::jobs::shown as shown_job;
pub(crate) use in_flight::Identified;
pub(crate) use jobs::statuses as job_statuses;
pub(crate) use limits::{Limits, Unread};
pub(crate) use path::Path;
pub(crate) use problem::{Answer, Failed};
pub(crate) use reply::Reply;
use router::router;
pub(crate) use runs::patch_named;
pub(crate) use server::{Options, run, told_to_stop};
pub(crate) use tail::Tail;

use axum::http::HeaderName;
use holdpoint_engine::Engine;
use holdpoint_engine::auth::Seal;

/// Says that what was asked had been done before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// All that handlers share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) mode: Mode,
    /// Where people reach the server, without a slash at the end.
    pub(crate) address: String,
    pub(crate) hosts: Hosts,
    pub(crate) limits: Limits,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) metrics: metrics::Metrics,
    /// Those who hold, by what they came in with.
    pub(crate) held: held_requests::HeldRequests,
    /// The end of the log, for those who follow it.
    pub(crate) tail: Tail,
    /// What open pages share.
    pub(crate) live: crate::web::Live,
    /// Those who tried to sign in and failed.
    pub(crate) attempts: attempts::Attempts,
    /// Signs what clients hand back.
    pub(crate) seal: Seal,
    /// What was asked of clients of older revisions of the Model Context Protocol.
    pub(crate) replies: crate::mcp::Replies,
    /// Forms that are being filled in conversation.
    pub(crate) chats: Chats,
    /// Turns true when the server is told to stop: held requests end.
    pub(crate) stopping: tokio::sync::watch::Receiver<bool>,
}

impl App {
    /// Holds until the server is told to stop.
    pub(crate) async fn stops(&self) {
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow_and_update() {
            if stopping.changed().await.is_err() {
                return;
            }
        }
    }
}
