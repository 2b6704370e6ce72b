//! How a page that shows several things learns of changes: at each beat the log is read further, and relevant events
//! are passed on.

use std::future::ready;
use std::sync::Arc;

use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::response::sse::Event;
use holdpoint_store::Logged;

use super::{news, stream};
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::web::form::Form;

/// The content of an open page.
pub(super) trait LivePage: Send + 'static {
    /// Returns whether an event changes it.
    fn is_changed_by(&self, event: &Logged) -> bool;

    /// Makes what the page is told of a stretch of the log in which something changed; nothing if that cannot be known.
    fn event(&mut self, _app: &App, stretch: LogRange) -> impl Future<Output = Option<Event>> + Send {
        ready(Some(stretch.event("changed", &stretch.to.to_string())))
    }

    /// Refreshes the state after a change; returns whether there is still something to see.
    fn look_again(&mut self, _app: &App) -> impl Future<Output = bool> + Send {
        ready(true)
    }
}

/// A part of the log: what comes after one place, up to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogRange {
    pub(super) after: i64,
    pub(super) to: i64,
}

impl LogRange {
    /// Makes an event after which a page knows all of it.
    pub(super) fn event(self, name: &str, data: &str) -> Event {
        Event::default().id(self.to.to_string()).event(name).data(data)
    }
}

/// Returns the place in the log that a page has read to. Without a valid place, the page hears of events from now on.
async fn start_position(app: &App, headers: &HeaderMap, uri: &Uri) -> HandlerResult<i64> {
    let asked = Form::parse(uri.query().unwrap_or_default());
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).unwrap_or(asked.get("after"));
    Ok(last.parse().unwrap_or(i64::MAX).min(app.engine.store().head().await?.seq))
}

/// Tells a page of changes after a place in the log.
pub(super) async fn follow(
    app: Arc<App>,
    caller: Caller,
    (headers, uri): (&HeaderMap, &Uri),
    mut shown: impl LivePage + Sync,
) -> HandlerResult<Response> {
    let mut beat = app.live.beat.listen();
    let mut after = start_position(&app, headers, uri).await?;
    let (sender, response) = stream();
    tokio::spawn(async move {
        let request = app.held.register(&caller.0, caller.1);
        loop {
            let (head, before) = (*beat.borrow_and_update(), after);
            match news(&app, &mut after, head, |event| shown.is_changed_by(event)).await {
                Ok(true) => {
                    let stretch = LogRange { after: before, to: after };
                    let Some(event) = shown.event(&app, stretch).await else { return };
                    if sender.send(Ok(event)).await.is_err() || !shown.look_again(&app).await {
                        return;
                    }
                }
                Ok(false) => {}
                Err(_) => return,
            }
            tokio::select! {
                biased;
                () = request.over() => return,
                _ = beat.changed() => {}
                () = sender.closed() => return,
                () = app.stops() => return,
            }
        }
    });
    Ok(response)
}
