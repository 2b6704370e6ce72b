//! The log over HTTP: as JSON lines, or as a live stream.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::{DecisionId, Refusal};
use holdpoint_engine::Client as _;
use holdpoint_engine::api::decisions::EventParams;
use holdpoint_store::{EventQuery, Logged};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::http::query::Query;
use crate::http::tail::LogTail;

/// The last sequence number that was read: events that the caller may not see are skipped silently.
const LOOKED: HeaderName = HeaderName::from_static("hold-last-seq");
const PAGE: usize = 500;

const MOST: usize = 10_000;

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<EventParams>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    if let Some(project) = &params.project {
        caller.may_use_project(project)?;
    }
    if params.limit.is_some_and(|limit| !(1..=MOST).contains(&limit)) {
        return Err(Refusal::invalid("limit", format!("must be from 1 to {MOST}")).into());
    }
    let project = params.project;
    let decision = match &params.decision {
        Some(id) => Some(caller.client(&app).get(id).await?.id),
        None => None,
    };
    let last = match headers.get("last-event-id") {
        Some(id) => Some(read_last(id)?),
        None => params.after,
    };
    let accepts = |kind: &str| {
        headers
            .get(header::ACCEPT)
            .and_then(|accept| accept.to_str().ok())
            .is_some_and(|accept| accept.contains(kind))
    };
    if accepts("text/event-stream") {
        app.engine.check_place(last.unwrap_or(0)).await?;
        return live(app, caller, last, decision, project).await;
    }
    let after = last.unwrap_or(0);
    app.engine.check_place(after).await?;
    let query = EventQuery { after, decision, project, limit: params.limit.unwrap_or(PAGE) };
    let mut lines = String::new();
    let mut looked = after;
    for logged in app.engine.store().events(&query).await? {
        looked = logged.seq;
        if let Some(event) = app.engine.event_for(&caller.0, &logged).await? {
            lines.push_str(&Value::Object(event).to_string());
            lines.push('\n');
        }
    }
    let kind = HeaderValue::from_static("application/jsonl");
    let looked = HeaderValue::from(looked);
    Ok(([(header::CONTENT_TYPE, kind), (LOOKED, looked)], Body::from(lines)).into_response())
}

fn read_last(id: &HeaderValue) -> HandlerResult<i64> {
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    number.ok_or_else(|| HandlerError::new(400, "malformed", "Last-Event-ID is not a sequence number"))
}

/// Sends events as they are recorded, from now on or after the last one that the client saw.
async fn live(
    app: Arc<App>,
    caller: Caller,
    after: Option<i64>,
    decision: Option<DecisionId>,
    project: Option<String>,
) -> HandlerResult<Response> {
    app.held.check_room(caller.1)?;
    let mut changed = app.engine.head_signal()?;
    let mut after = match after {
        Some(after) => after,
        None => app.engine.store().head().await?.seq,
    };
    let begins = after;
    // Bounded: a client that does not read must not make us buffer without limit.
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(64);
    tokio::spawn(async move {
        let request = app.held.register(&caller.0, caller.1);
        loop {
            let head = *changed.borrow_and_update();
            let near = decision.is_none() && project.is_none() && LogTail::is_near(after, head);
            let read = if near {
                app.tail.after(app.engine.store().as_ref(), after, head).await
            } else {
                let query = EventQuery { after, decision, project: project.clone(), limit: PAGE };
                app.engine.store().events(&query).await.map(Arc::new)
            };
            let Ok(logged) = read else { return };
            for event in logged.iter() {
                after = event.seq;
                let Ok(seen) = app.engine.event_for(&caller.0, event).await else { return };
                let Some(seen) = seen else { continue };
                if sender.send(Ok(frame(event, seen))).await.is_err() {
                    return;
                }
            }
            // A page ends early where events are long.
            if !logged.is_empty() && after < head {
                continue;
            }
            tokio::select! {
                biased;
                () = request.over() => return,
                _ = changed.changed() => {}
                () = sender.closed() => return,
                () = app.stops() => return,
            }
        }
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(alive);
    Ok(([(LOOKED, HeaderValue::from(begins))], stream).into_response())
}

fn frame(logged: &Logged, seen: Map<String, Value>) -> Event {
    Event::default().id(logged.seq.to_string()).event(&logged.tag).data(Value::Object(seen).to_string())
}
