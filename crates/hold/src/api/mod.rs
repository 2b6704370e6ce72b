//! The HTTP API: what programs in any language and on any machine use. Handlers translate; the engine decides.

mod admin;
mod aitp;
pub(crate) mod chat;
mod decisions;
mod events;
mod health;
mod hooks;
mod humanlayer;
mod jobs;
mod log;
mod mcp;
mod metrics;
mod openapi;
mod people;
mod prefixes;
mod projects;
mod push;
mod router;
mod routes;
mod rules;
mod runs;
mod views;

pub(crate) use decisions::answer_each;
pub(crate) use holdpoint_engine::api::jobs::shown as shown_job;
pub(crate) use jobs::statuses as job_statuses;
pub(crate) use router::router;
pub(crate) use runs::patch_named;
