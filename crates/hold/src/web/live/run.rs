//! Tells a run's page that something happened to the run, to another attempt at its task, or to the question about
//! it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use holdpoint_core::Run;
use holdpoint_store::Logged;

use super::follow::{self, LivePage};
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;

/// A run's page, as the caller may see it.
struct RunPage {
    run: Run,
    caller: holdpoint_engine::auth::Caller,
}

impl LivePage for RunPage {
    /// An erased event could be about any run.
    fn is_changed_by(&self, event: &Logged) -> bool {
        let (run, Some(body)) = (&self.run, &event.body) else { return true };
        let id = body.get("id").and_then(|id| id.as_str());
        if event.tag.starts_with("run:") {
            let task = body.pointer("/task/id").and_then(|id| id.as_str());
            return id == Some(&run.id.to_string()) || task == Some(&run.task.id.to_string());
        }
        event.tag.starts_with("decision:")
            && run.decision.is_some_and(|decision| id == Some(&decision.to_string()))
    }

    /// Another question may be pending about it now.
    async fn look_again(&mut self, app: &App) -> bool {
        match app.engine.find_run(&self.caller, &self.run.id.to_string()).await {
            Ok(now) => self.run = now,
            Err(_) => return false,
        }
        true
    }
}

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> HandlerResult<Response> {
    let run = app.engine.find_run(&caller.0, &id).await?;
    let page = RunPage { run, caller: caller.0.clone() };
    follow::follow(app, caller, (&headers, &uri), page).await
}
