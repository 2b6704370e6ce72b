//! The HTTP door: what programs in any language and on any machine use. Handlers translate; the engine decides.

mod accept;
mod accounts;
mod aitp;
mod attempts;
mod body;
mod caller;
mod channels;
pub(crate) mod chat;
mod client_address;
mod credentials;
mod decisions;
mod escalation;
mod events;
mod guard;
mod health;
mod held_requests;
mod hooks;
mod in_flight;
mod items;
mod jobs;
mod limits;
mod log;
mod mcp;
mod metrics;
mod openapi;
mod outbox;
mod path;
mod people;
mod prefixes;
mod problem;
mod projects;
mod query;
mod rules;
mod runs;
mod server;
mod tail;
mod write_timeout;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{any, delete, get, patch, post, put};

pub(crate) use caller::{COOKIE, Caller, Doors, LocalDoor, Mode, cookie};
pub(crate) use chat::Chats;
pub(crate) use client_address::{ClientAddress, TrustedProxies};
pub(crate) use decisions::answer_each;
pub(crate) use guard::Hosts;
pub(crate) use in_flight::Identified;
pub(crate) use jobs::{shown as shown_job, statuses as job_statuses};
pub(crate) use limits::{Limits, Unread};
pub(crate) use path::Path;
pub(crate) use problem::{Answer, Failed};
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
    /// How long the web inbox holds an answer back, so that it can be undone.
    pub(crate) undo: holdpoint_core::Span,
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

/// Returns everything the server answers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let v1 = Router::new()
        .route("/decisions", post(decisions::create).get(decisions::list))
        .route("/decisions/{id}", get(decisions::get).patch(decisions::revise))
        .route("/decisions/{id}/answer", post(decisions::answer))
        .route("/decisions/{id}/draft", put(decisions::draft))
        .route("/decisions/{id}/wait", get(decisions::wait))
        .route("/decisions/{id}/cancel", post(decisions::cancel))
        .route("/decisions/{id}/take", put(decisions::attend::take).delete(decisions::attend::release))
        .route("/decisions/{id}/snooze", put(decisions::attend::snooze).delete(decisions::attend::wake))
        .route("/decisions/{id}/consume", post(decisions::consume))
        .route("/decisions/{id}/receipt", get(decisions::receipt))
        .route("/decisions/{id}/escalation", get(escalation::show))
        .route("/decisions/{id}/explanation", get(rules::explain))
        .route("/decisions/{id}/rules", get(rules::propose))
        .route("/answers", post(decisions::answer_many))
        .route("/absences", get(escalation::absences))
        .route("/absences/{name}", put(escalation::add_absence).delete(escalation::end_absence))
        .route("/auth", get(credentials::auth).put(credentials::set_auth))
        .route("/events", get(events::list))
        .route("/items", get(items::list).post(items::create))
        .route("/items/{id}", delete(items::delete))
        .route("/jobs", get(jobs::list).post(jobs::start))
        .route("/jobs/{id}", get(jobs::get).delete(jobs::delete))
        .route("/jobs/{id}/cancel", post(jobs::cancel))
        .route("/jobs/{id}/log", get(jobs::log))
        .route("/jobs/{id}/resume", post(jobs::resume))
        .route("/jobs/{id}/run", get(jobs::run))
        .route("/jobs/{id}/screen", get(jobs::screen))
        .route("/jobs/{id}/suspend", post(jobs::suspend))
        .route("/keys/rotate", post(log::rotate))
        .route("/keys/{id}/revoke", post(log::revoke))
        .route("/log/accept", post(log::accept))
        .route("/log/consistency", get(log::consistency))
        .route("/log/head", get(log::head))
        .route("/channels", get(channels::list))
        .route("/channels/log", get(channels::log))
        .route("/channels/{channel}/test", post(channels::test))
        .route("/outbox", get(outbox::list))
        .route("/outbox/{id}/resend", post(outbox::resend))
        .route("/groups", get(people::groups))
        .route("/groups/{name}", patch(people::change_group).delete(people::remove_group))
        .route("/policies", get(people::policies).post(people::add_policy))
        .route("/policies/simulate", post(escalation::simulate))
        .route("/policies/{id}", delete(people::remove_policy))
        .route("/people", get(credentials::people))
        .route("/people/{name}", put(credentials::put_person).delete(credentials::remove_person))
        .route("/people/{name}/link", post(credentials::sign_in_link))
        .route("/people/{name}/accounts/{channel}", post(accounts::code).delete(accounts::unlink))
        .route("/prefixes", get(prefixes::lengths))
        .route("/projects", get(projects::list))
        .route("/projects/{name}", put(projects::update))
        .route("/rules", get(rules::list).post(rules::create))
        .route("/rules/test", post(rules::test))
        .route("/rules/{id}", get(rules::get))
        .route("/rules/{id}/resume", post(rules::resume))
        .route("/rules/{id}/revoke", post(rules::revoke))
        .route("/imports", post(runs::import))
        .route("/runs", get(runs::list).post(runs::start))
        .route("/runs/{id}", get(runs::get))
        .route("/runs/{id}/carry", post(runs::carry))
        .route("/runs/{id}/comments", post(runs::comment))
        .route("/runs/{id}/diff", get(runs::diff))
        .route("/runs/{id}/evidence", post(runs::evidence))
        .route("/runs/{id}/export", post(runs::export))
        .route("/runs/{id}/finish", post(runs::finish))
        .route("/runs/{id}/log", get(runs::log))
        .route("/runs/{id}/objects", get(runs::objects).post(runs::record))
        .route("/runs/{id}/output", get(runs::output))
        .route("/runs/{id}/patch", post(runs::patch))
        .route("/runs/{id}/resume", post(runs::resume))
        .route("/runs/{id}/rollback", post(runs::rollback))
        .route("/runs/{id}/usage", post(runs::usage))
        .route("/runs/{id}/wait", get(runs::wait))
        .route("/tokens", get(credentials::tokens).post(credentials::create_token))
        .route("/tokens/{id}", delete(credentials::revoke_token));
    Router::new()
        .nest("/v1", v1)
        .nest("/api", chat::router())
        .nest("/aitp/v1", aitp::router())
        .merge(crate::web::router())
        .merge(mcp::router())
        .merge(hooks::router())
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::show))
        .route("/openapi.json", get(openapi::show))
        .fallback(any(problem::not_found))
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
