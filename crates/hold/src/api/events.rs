//! The log over HTTP: as JSON lines, or as it grows.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::DecisionId;
use holdpoint_engine::Client as _;
use holdpoint_store::{EventQuery, Logged};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::App;
use super::caller::Caller;
use super::problem::{Answer, Failed};
use super::query::Query;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    #[serde(default)]
    after: Option<i64>,
    project: Option<String>,
    decision: Option<String>,
    limit: Option<usize>,
}

const PAGE: usize = 500;
const MOST: usize = 10_000;

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Answer<Response> {
    if let Some(project) = &asked.project {
        caller.may_use_project(project)?;
    }
    let project = asked.project;
    let decision = match &asked.decision {
        Some(id) => Some(caller.client(&app).get(id).await?.id),
        None => None,
    };
    let accepts = |kind: &str| headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains(kind));
    if accepts("text/event-stream") {
        let last = match headers.get("last-event-id") {
            Some(id) => Some(read_last(id)?),
            None => asked.after,
        };
        return live(app, caller, last, decision, project).await;
    }
    let limit = asked.limit.unwrap_or(PAGE).clamp(1, MOST);
    let query = EventQuery { after: asked.after.unwrap_or(0), decision, project, limit };
    let mut lines = String::new();
    for logged in app.engine.store().events(&query).await? {
        if let Some(event) = app.engine.event_for(&caller.0, &logged).await? {
            lines.push_str(&Value::Object(event).to_string());
            lines.push('\n');
        }
    }
    let kind = HeaderValue::from_static("application/jsonl");
    Ok(([(header::CONTENT_TYPE, kind)], Body::from(lines)).into_response())
}

fn read_last(id: &HeaderValue) -> Answer<i64> {
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    number.ok_or_else(|| Failed::new(400, "malformed", "Last-Event-ID is not a sequence number"))
}

/// Sends events as they are recorded; from now on, or after what the client saw last.
async fn live(
    app: Arc<App>,
    caller: Caller,
    after: Option<i64>,
    decision: Option<DecisionId>,
    project: Option<String>,
) -> Answer<Response> {
    let mut changed = app.engine.head_signal()?;
    let mut after = match after {
        Some(after) => after,
        None => app.engine.store().head().await?.seq,
    };
    // A client that does not read must not make us keep what it has not read.
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(64);
    tokio::spawn(async move {
        loop {
            changed.mark_unchanged();
            let query = EventQuery { after, decision, project: project.clone(), limit: PAGE };
            let Ok(logged) = app.engine.store().events(&query).await else { return };
            for event in &logged {
                after = event.seq;
                let Ok(seen) = app.engine.event_for(&caller.0, event).await else { return };
                let Some(seen) = seen else { continue };
                if sender.send(Ok(frame(event, seen))).await.is_err() {
                    return;
                }
            }
            if logged.len() == PAGE {
                continue;
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = sender.closed() => return,
                () = app.stops() => return,
            }
        }
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive).into_response())
}

fn frame(logged: &Logged, seen: Map<String, Value>) -> Event {
    Event::default().id(logged.seq.to_string()).event(&logged.tag).data(Value::Object(seen).to_string())
}
