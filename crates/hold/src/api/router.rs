//! Everything that the server answers.

use std::sync::Arc;

use axum::routing::any;
use axum::{Router, middleware};
use holdpoint_engine::api::agents::{CLAUDE_HOOK, GET_HEALTH, GET_METRICS, GET_OPENAPI, GET_READINESS, MCP};

use super::routes::Routes;
use super::{
    App, admin, aitp, chat, decisions, guard, health, hooks, humanlayer, jobs, log, mcp, metrics, openapi,
    people, problem, projects, push, rules, runs, views,
};

/// Returns everything the server answers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let endpoints = Routes::default()
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
        .raw(&GET_OPENAPI, openapi::show);
    endpoints
        .into_router()
        .merge(crate::web::router())
        .fallback(any(problem::not_found))
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
