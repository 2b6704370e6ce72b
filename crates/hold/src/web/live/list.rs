//! The inbox's list hears that it changed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::response::sse::Event;

use super::{is_listed, news, stream};
use crate::api::{Answer, App, Caller};
use crate::web::form::Form;

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Answer<Response> {
    let asked = Form::parse(uri.query().unwrap_or_default());
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).unwrap_or(asked.get("after"));
    let mut beat = app.live.beat.listen();
    // Without a place, or with one that cannot be, it is told of what comes from now on.
    let mut after = last.parse().unwrap_or(i64::MAX).min(app.engine.store().head().await?.seq);
    let (sender, response) = stream();
    tokio::spawn(async move {
        let holder = app.held.stand(&caller.0, caller.1);
        loop {
            let head = *beat.borrow_and_update();
            match news(&app, &mut after, head, |event| is_listed(event, &caller.0)).await {
                Ok(true) => {
                    let seq = after.to_string();
                    let event = Event::default().id(&seq).event("changed").data(&seq);
                    if sender.send(Ok(event)).await.is_err() {
                        return;
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
