//! A run's page hears that something happened to the run, to another attempt at its task, or to the question about it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::response::sse::Event;
use holdpoint_core::Run;
use holdpoint_store::Logged;

use super::{news, stream};
use crate::api::{Answer, App, Caller};
use crate::web::form::Form;

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Answer<Response> {
    let mut run = app.engine.find_run(&caller.0, &id).await?;
    let asked = Form::parse(uri.query().unwrap_or_default());
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).unwrap_or(asked.get("after"));
    let mut beat = app.live.beat.listen();
    let mut after = last.parse().unwrap_or(i64::MAX).min(app.engine.store().head().await?.seq);
    let (sender, response) = stream();
    tokio::spawn(async move {
        let holder = app.held.stand(&caller.0, caller.1);
        loop {
            let head = *beat.borrow_and_update();
            match news(&app, &mut after, head, |event| is_about(event, &run)).await {
                Ok(true) => {
                    let seq = after.to_string();
                    let event = Event::default().id(&seq).event("changed").data(&seq);
                    if sender.send(Ok(event)).await.is_err() {
                        return;
                    }
                    // Another question may be asked about it now.
                    match app.engine.find_run(&caller.0, &run.id.to_string()).await {
                        Ok(now) => run = now,
                        Err(_) => return,
                    }
                }
                Ok(false) => {}
                Err(_) => return,
            }
            tokio::select! {
                biased;
                () = holder.over() => return,
                _ = beat.changed() => {}
                () = sender.closed() => return,
                () = app.stops() => return,
            }
        }
    });
    Ok(response)
}

/// Returns whether an event changes what the page of a run shows. What was erased could be about any.
fn is_about(event: &Logged, run: &Run) -> bool {
    let Some(body) = &event.body else { return true };
    let id = body.get("id").and_then(|id| id.as_str());
    if event.tag.starts_with("run:") {
        let task = body.pointer("/task/id").and_then(|id| id.as_str());
        return id == Some(&run.id.to_string()) || task == Some(&run.task.id.to_string());
    }
    event.tag.starts_with("decision:")
        && run.decision.is_some_and(|decision| id == Some(&decision.to_string()))
}
