//! Live updates of open pages. They are told at a beat, so that their cost does not grow with the number of events:
//! an inbox is told which rows were added, changed and removed; other pages are told that something changed, and fetch it.

mod beat;
mod card;
mod delta;
mod follow;
mod link;
mod list;
mod packed;
mod rows;
mod run;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use holdpoint_engine::auth::Caller;
use holdpoint_store::Logged;
use maud::Markup;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::http::app::App;

pub(crate) use beat::run;

/// Returns the routes for listening, and for fetching changes.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/live", get(list::follow))
        .route("/rows", get(rows::show))
        .route("/d/{id}/live", get(card::follow))
        .route("/runs/{id}/live", get(run::follow))
        .route("/link/{text}/live", get(link::follow))
}

/// The server's end of a page's stream.
type EventSender = mpsc::Sender<Result<Event, Infallible>>;

/// Creates a stream and its sender. Bounded: a page that does not read must not make us buffer without limit.
fn stream() -> (EventSender, Response) {
    let (sender, receiver) = mpsc::channel(1);
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    (sender, Sse::new(ReceiverStream::new(receiver)).keep_alive(alive).into_response())
}

fn changed(words: &str) -> Event {
    Event::default().event("changed").data(words.replace(['\n', '\r'], " "))
}

/// Creates an event with the remarks that a page does not show yet, rendered.
fn remarked(markup: &Markup) -> Event {
    Event::default().event("remarked").data(markup.0.replace(['\n', '\r'], " "))
}

/// Reads the log from a place to its end, if that is near, and returns whether a relevant event happened there. A
/// reader that is far behind is told that one did.
async fn news(
    app: &App,
    after: &mut i64,
    head: i64,
    counts: impl Fn(&Logged) -> bool,
) -> Result<bool, holdpoint_store::Error> {
    if head <= *after {
        return Ok(false);
    }
    if !crate::http::tail::LogTail::is_near(*after, head) {
        *after = head;
        return Ok(true);
    }
    let logged = app.tail.after(app.engine.store().as_ref(), *after, head).await?;
    *after = logged.last().map_or(head, |event| event.seq);
    Ok(logged.iter().any(counts))
}

/// Returns whether an event changes what a list shows to a caller. An erased event could be about anything.
fn is_listed(event: &Logged, caller: &Caller) -> bool {
    let project = event.body.as_ref().map(|body| body.get("project").and_then(|project| project.as_str()));
    event.tag.starts_with("decision:")
        && event.tag != "decision:drafted"
        && project.is_none_or(|project| project.is_some_and(|project| caller.may_use(project)))
}
