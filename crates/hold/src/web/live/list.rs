//! Tells the inbox's list that it has changed, and which rows.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::response::sse::Event;
use holdpoint_engine::auth;
use holdpoint_store::Logged;
use serde_json::json;

use super::delta::SentParts;
use super::follow::{self, LivePage, LogRange};
use super::packed::packed;
use super::{is_listed, rows};
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::web::form::Form;
use crate::web::visitor::{self, Visitor};

/// Reports changes of the list that a caller may see.
struct List(auth::Caller);

impl LivePage for List {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.0)
    }
}

/// Sends the rows of a list. A page gets all of them at the first change, and then only changes; after a lost
/// connection it starts over.
struct ListRows {
    visitor: Visitor,
    /// The filter of the list.
    query: String,
    sent: SentParts,
}

impl LivePage for ListRows {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.visitor.caller)
    }

    async fn event(&mut self, app: &App, stretch: LogRange) -> Option<Event> {
        let markup = rows::seen(app, &self.visitor, &self.query, stretch.to).await.ok()?;
        let steps = self.sent.next(&String::from_utf8_lossy(&markup));
        let told = changes_in(app, &self.visitor.caller, stretch).await;
        let data = json!({ "rows": steps, "new": told.new, "changed": told.changed });
        Some(stretch.event("rows", &data.to_string()))
    }
}

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> HandlerResult<Response> {
    let query = uri.query().unwrap_or_default();
    if Form::parse(query).get("rows") == "true"
        && let Ok(Some(visitor)) = visitor::find(&headers, &app).await
    {
        let rows = ListRows { visitor, query: query.to_owned(), sent: SentParts::default() };
        return Ok(packed(&headers, follow::follow(app, caller, (&headers, &uri), rows).await?));
    }
    let list = List(caller.0.clone());
    follow::follow(app, caller, (&headers, &uri), list).await
}

/// The decisions that a stretch of the log is about.
#[derive(Debug, Default)]
struct ChangedDecisions {
    /// Decisions that were created.
    new: Vec<String>,
    /// Other decisions with events.
    changed: Vec<String>,
}

/// Returns what a stretch of the log is about, for someone; nothing where it is long.
async fn changes_in(app: &App, caller: &auth::Caller, LogRange { after, to }: LogRange) -> ChangedDecisions {
    if !crate::http::tail::LogTail::is_near(after, to) {
        return ChangedDecisions::default();
    }
    let Ok(logged) = app.tail.after(app.engine.store().as_ref(), after, to).await else {
        return ChangedDecisions::default();
    };
    let mut told = ChangedDecisions::default();
    for event in logged.iter().filter(|event| is_listed(event, caller)) {
        let Some(id) = event.body.as_ref().and_then(|body| body.get("id")?.as_str()) else { continue };
        let place = if event.tag == "decision:created" { &mut told.new } else { &mut told.changed };
        if !place.iter().any(|known| known == id) {
            place.push(id.to_owned());
        }
    }
    told
}
