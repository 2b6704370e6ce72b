//! `POST /hooks/claude`: the hooks of Claude Code over HTTP. A connection that is closed takes its question back.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::routing::post;
use axum::{Json, Router};
use holdpoint_core::Span;
use holdpoint_engine::Client;
use holdpoint_protocols::claude::{self, Dialect};
use serde::Deserialize;
use serde_json::{Value, json};

use super::App;
use super::body::text;
use super::caller::Caller;
use super::problem::Answer;
use super::query::Query;
use crate::hooks::{self, Options, Parked};

/// Returns the routes.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/hooks/claude", post(answer))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct HookParams {
    /// Where decisions belong.
    project: Option<String>,
    /// How long until silence settles them; 59m if not given.
    #[param(inline)]
    timeout: Option<Span>,
    /// Whether the session ends and comes back instead of being held.
    #[serde(default)]
    #[param(required = false)]
    defer: bool,
    /// Whether a session that stops becomes a decision.
    #[serde(default)]
    #[param(required = false)]
    idle: bool,
}

/// Answers a hook of Claude Code; holds while somebody has to decide.
#[utoipa::path(
    post,
    path = "/hooks/claude",
    operation_id = "claudeHook",
    tag = "agents",
    params(HookParams),
    request_body(content = Value, description = "What Claude Code gives a hook", content_type = "application/json"),
    responses((status = 200, description = "What Claude Code is told; empty if there is nothing to say", body = Value))
)]
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    mut caller: Caller,
    Query(params): Query<HookParams>,
    request: Request,
) -> Answer<Json<Value>> {
    "hook".clone_into(&mut caller.0.actor.via);
    let text = text(request, &app.limits).await?;
    let (event, input) = claude::read(None, &text)?;
    let client: Arc<dyn Client> = Arc::new(caller.client(&app));
    let usual = (!params.defer).then_some(Span::from_secs(59 * 60));
    let options = Options {
        dialect: Dialect::Claude,
        project: params.project,
        timeout: params.timeout.or(usual),
        defer: params.defer,
        idle: params.idle,
        supervised: None,
    };
    let answered = hooks::run(&client, &Parked::default(), event, &input, &options).await;
    let output = answered.unwrap_or_else(|error| hooks::refuse(Dialect::Claude, event, &error.to_string()));
    Ok(Json(output.unwrap_or_else(|| json!({}))))
}
