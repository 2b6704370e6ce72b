//! The page of an agent: what it asked, the answers, and how long it waited.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::{Client as _, Detail, Embedded, ListQuery};
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::{rows, settled};
use crate::http::app::App;

/// How many decisions are shown, and how many are searched for them.
const SHOWN: usize = 50;
const LOOKED_AT: usize = 2_000;

/// Returns the address of an agent's page.
pub(super) fn address(name: &str) -> String {
    let coded: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("/agents/{}", coded.replace('+', "%20"))
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, Path(name): Path<String>) -> Reply {
    let client = visitor.client(&app);
    let now = app.engine.now().await?;
    let found = asked_by(&client, &name).await?;
    if found.is_empty() {
        let why = format!("No agent {} that you can see", inert_line(&name));
        return Err(PageError::new(404, "no_such_agent", why));
    }
    let (waiting, settled): (Vec<&Decision>, Vec<&Decision>) =
        found.iter().partition(|decision| decision.status == Status::Pending);
    let title = inert_line(&name);
    let main = html! {
        h1 dir="auto" { (title) }
        p .hint { "Latest " (found.len()) @if found.len() == 1 { " request" } @else { " requests" } " from " bdi { (inert_line(&name)) } }
        (list("Waiting for an answer", &waiting, now))
        (list("Answered", &settled, now))
    };
    Ok(Page { title: &title, nav: NavItem::Elsewhere, visitor: Some(&visitor), seq: None }
        .send(StatusCode::OK, &main))
}

async fn asked_by(client: &Embedded, name: &str) -> Result<Vec<Decision>, PageError> {
    let mut query =
        ListQuery { newest_first: true, limit: 500, detail: Detail::Brief, ..ListQuery::default() };
    let (mut found, mut looked_at) = (Vec::new(), 0);
    loop {
        let page = client.list(&query).await?;
        looked_at += page.items.len();
        let is_its = |one: &Decision| {
            one.requested_by.as_deref() == Some(name) || one.asked_by.as_deref() == Some(name)
        };
        found.extend(page.items.into_iter().filter(is_its));
        query.cursor = page.next;
        if query.cursor.is_none() || found.len() >= SHOWN || looked_at >= LOOKED_AT {
            found.truncate(SHOWN);
            return Ok(found);
        }
    }
}

fn list(title: &str, decisions: &[&Decision], now: Timestamp) -> Markup {
    html! {
        @if !decisions.is_empty() {
            h2 { (title) }
            ol .rows { @for decision in decisions { @if decision.status == Status::Pending { (rows::alone(decision, now)) } @else { (settled::row(decision, None, now)) } } }
        }
    }
}
