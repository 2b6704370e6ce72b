//! Every endpoint of the HTTP API, with its handler.

use std::sync::Arc;

use axum::Router;
use holdpoint_engine::api::agents::{CLAUDE_HOOK, GET_HEALTH, GET_METRICS, GET_OPENAPI, GET_READINESS, MCP};

use super::routes::Routes;
use super::{
    admin, aitp, chat, decisions, health, hooks, humanlayer, jobs, log, mcp, metrics, openapi, people,
    projects, push, rules, runs, views,
};
use crate::http::app::App;

/// Returns the routes of all endpoints.
pub(crate) fn router() -> Router<Arc<App>> {
    Routes::default()
        .with(decisions::routes)
        .with(projects::routes)
        .with(jobs::routes)
        .with(runs::routes)
        .with(rules::routes)
        .with(people::routes)
        .with(views::routes)
        .with(push::routes)
        .with(admin::routes)
        .with(log::routes)
        .with(aitp::routes)
        .with(chat::routes)
        .with(humanlayer::routes)
        .raw(&MCP, mcp::answer)
        .raw(&CLAUDE_HOOK, hooks::answer)
        .raw(&GET_HEALTH, health::alive)
        .raw(&GET_READINESS, health::ready)
        .raw(&GET_METRICS, metrics::show)
        .raw(&GET_OPENAPI, openapi::show)
        .into_router()
}
