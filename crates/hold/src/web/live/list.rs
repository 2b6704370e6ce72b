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
use super::follow::{self, Shown, Stretch};
use super::packed::packed;
use super::{is_listed, rows};
use crate::api::{Answer, App, Caller};
use crate::web::form::Form;
use crate::web::visitor::{self, Visitor};

/// The list, of which a page hears that it changed, as somebody may see it.
struct List(auth::Caller);

impl Shown for List {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.0)
    }
}

/// The rows of a list. A page is sent all of them when the first one changed, and then what changes; one that lost the
/// connection begins anew.
struct ListRows {
    visitor: Visitor,
    /// What the list is narrowed to.
    query: String,
    sent: Sent,
}

impl Shown for ListRows {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.visitor.caller)
    }

    async fn event(&mut self, app: &App, stretch: Stretch) -> Option<Event> {
        let markup = rows::seen(app, &self.visitor, &self.query, stretch.to).await.ok()?;
        let steps = self.sent.next(&String::from_utf8_lossy(&markup));
        let told = told(app, &self.visitor.caller, stretch).await;
        let data = json!({ "rows": steps, "new": told.new, "changed": told.changed });
        Some(stretch.event("rows", &data.to_string()))
    }
}

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Answer<Response> {
    let query = uri.query().unwrap_or_default();
    if Form::parse(query).get("rows") == "true"
        && let Ok(Some(visitor)) = visitor::find(&headers, &app).await
    {
        let rows = ListRows { visitor, query: query.to_owned(), sent: Sent::default() };
        return Ok(packed(&headers, follow::follow(app, caller, (&headers, &uri), rows).await?));
    }
    let list = List(caller.0.clone());
    follow::follow(app, caller, (&headers, &uri), list).await
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
async fn told(app: &App, caller: &auth::Caller, Stretch { after, to }: Stretch) -> Told {
    if !crate::api::Tail::is_near(after, to) {
        return Told::default();
    }
    let Ok(logged) = app.tail.after(app.engine.store().as_ref(), after, to).await else {
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
