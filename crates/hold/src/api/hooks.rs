//! `POST /hooks/claude`: the hooks of Claude Code over HTTP. Closing the connection withdraws the question.

use std::sync::Arc;

use axum::extract::{Request, State};
use holdpoint_core::Span;
use holdpoint_engine::Client;
use holdpoint_engine::api::agents::HookParams;
use holdpoint_protocols::claude::{self, Dialect};
use serde_json::{Value, json};

use crate::hooks::{self, HeldQuestions, Options};
use crate::http::app::App;
use crate::http::body::text;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::http::query::Query;
use crate::http::reply::Reply;

pub(super) async fn answer(
    State(app): State<Arc<App>>,
    mut caller: Caller,
    Query(params): Query<HookParams>,
    request: Request,
) -> HandlerResult<Reply<Value>> {
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
    let answered = hooks::run(&client, &HeldQuestions::default(), event, &input, &options).await;
    let output = answered.unwrap_or_else(|error| hooks::refuse(Dialect::Claude, event, &error.to_string()));
    Ok(Reply(output.unwrap_or_else(|| json!({}))))
}
