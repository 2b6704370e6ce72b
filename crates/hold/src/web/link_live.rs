//! What becomes of the decision behind a signed link while its page is open: said once, when it is settled or changed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use holdpoint_core::Status;
use holdpoint_engine::Error;
use holdpoint_engine::auth::{LinkFault, Opened};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::sign_in::doors;
use super::stopped::Reply;
use super::words;
use crate::api::App;

const REVISED: &str = "The asker changed the question. Nothing was sent; what you typed is still here.";
const USED: &str = "This link was used meanwhile: the answer has been given. Nothing was sent.";
const REMOVED: &str = "This was removed meanwhile. Nothing was sent.";

pub(super) async fn follow(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(1);
    let tell = |words: &str| Ok(Event::default().event("changed").data(words.replace(['\n', '\r'], " ")));
    match app.engine.open_link(&doors(&app)?.links, &text, "link").await {
        Ok(opened) => {
            tokio::spawn(async move {
                tokio::select! {
                    words = change(&app, &opened) => {
                        if let Some(words) = words {
                            let _ = sender.send(tell(&words)).await;
                        }
                    }
                    () = sender.closed() => {}
                    () = app.stops() => {}
                }
            });
        }
        // It happened after the page was made, and before anybody listened.
        Err(Error::Link(fault @ (LinkFault::Changed | LinkFault::Used))) => {
            let words = if fault == LinkFault::Used { USED } else { REVISED };
            let _ = sender.try_send(tell(words));
        }
        Err(error) => return Err(error.into()),
    }
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive).into_response())
}

/// Holds until the decision is not what the page shows, and says what it is; nothing if that cannot be known.
async fn change(app: &App, opened: &Opened) -> Option<String> {
    let mut changed = app.engine.head_signal().ok()?;
    loop {
        changed.mark_unchanged();
        let seen = app.engine.decision_for(&opened.caller, opened.decision.id).await.ok()?;
        match seen {
            None => return Some(REMOVED.into()),
            Some(now) if now.status != Status::Pending => return Some(words::settled_meanwhile(&now)),
            Some(now) if now.digest != opened.decision.digest => return Some(REVISED.into()),
            Some(_) => {}
        }
        changed.changed().await.ok()?;
    }
}
