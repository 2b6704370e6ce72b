//! The inbox's list hears that it changed, and which of its rows.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::response::sse::Event;
use holdpoint_engine::auth;
use holdpoint_store::Logged;
use serde_json::json;

use super::delta::Sent;
use super::follow::{self, Shown};
use super::packed::packed;
use super::{is_listed, news, rows, stream};
use crate::api::{Answer, App, Caller};
use crate::web::form::Form;
use crate::web::visitor::{self, Visitor};

/// The list, as somebody may see it.
struct List(auth::Caller);

impl Shown for List {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.0)
    }

    async fn look_again(&mut self, _app: &App) -> bool {
        true
    }
}

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Answer<Response> {
    let asks_for_rows = Form::parse(uri.query().unwrap_or_default()).get("rows") == "true";
    if asks_for_rows && let Ok(Some(visitor)) = visitor::find(&headers, &app).await {
        return follow_rows(app, caller, visitor, (headers, uri)).await;
    }
    let list = List(caller.0.clone());
    follow::follow(app, caller, (&headers, &uri), list).await
}

/// Sends a page the list when it changed, and then what changes in it. A page that lost the connection begins anew, and is sent the
/// list if something happened since.
async fn follow_rows(
    app: Arc<App>,
    caller: Caller,
    visitor: Visitor,
    (headers, uri): (HeaderMap, Uri),
) -> Answer<Response> {
    let mut beat = app.live.beat.listen();
    let mut after = follow::place(&app, &headers, &uri).await?;
    let (sender, response) = stream();
    tokio::spawn(async move {
        let request = app.held.register(&caller.0, caller.1);
        let query = uri.query().unwrap_or_default();
        let mut sent = Sent::default();
        loop {
            let (head, before) = (*beat.borrow_and_update(), after);
            match news(&app, &mut after, head, |event| is_listed(event, &caller.0)).await {
                Ok(true) => {
                    let Ok(markup) = rows::seen(&app, &visitor, query, after).await else { return };
                    let steps = sent.next(&String::from_utf8_lossy(&markup));
                    let told = told(&app, &caller.0, before, after).await;
                    let data = json!({ "rows": steps, "new": told.new, "changed": told.changed });
                    let event = Event::default().id(after.to_string()).event("rows").data(data.to_string());
                    if sender.send(Ok(event)).await.is_err() {
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
    Ok(packed(&headers, response))
}

/// What a stretch of the log is about.
#[derive(Debug, Default)]
struct Told {
    /// What was asked there.
    new: Vec<String>,
    /// What else is told of.
    changed: Vec<String>,
}

/// Returns what a stretch of the log is about, for someone; nothing where it is long.
async fn told(app: &App, caller: &auth::Caller, before: i64, after: i64) -> Told {
    if !crate::api::Tail::is_near(before, after) {
        return Told::default();
    }
    let Ok(logged) = app.tail.after(app.engine.store().as_ref(), before, after).await else {
        return Told::default();
    };
    let mut told = Told::default();
    for event in logged.iter().filter(|event| is_listed(event, caller)) {
        let Some(id) = event.body.as_ref().and_then(|body| body.get("id")?.as_str()) else { continue };
        let place = if event.tag == "decision:created" { &mut told.new } else { &mut told.changed };
        if !place.iter().any(|known| known == id) {
            place.push(id.to_owned());
        }
    }
    told
}
