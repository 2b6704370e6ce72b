//! The inbox: what waits, whoever waits longest and most urgently first.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Status, Timestamp};
use holdpoint_engine::{Client as _, ListQuery};
use maud::{Markup, html};

use super::filter::Filter;
use super::form::Form;
use super::page::{Page, Place};
use super::stopped::{Reply, Stopped};
use super::visitor::Visitor;
use super::words;
use crate::api::App;
use crate::shown::private::is_private;
use crate::shown::rank;

/// How many are shown at first, and how many more each time.
const PAGE: usize = 50;
/// How many are ranked; beyond these the oldest come first.
const RANKED: usize = 1_000;
/// How many rows one page ever has.
const MOST: usize = 1_000;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let asked = Form::parse(query);
    let filter = Filter::read(query);
    let shown = asked.get("shown").parse().unwrap_or(PAGE).clamp(PAGE, MOST);
    let seq = app.engine.store().head().await?.seq;
    let now = app.engine.now().await?;
    let found = ranked(&app, &visitor, &filter).await?;
    let done = match asked.get("done") {
        "" => None,
        id => visitor.client(&app).get(id).await.ok(),
    };
    let mut projects: Vec<String> =
        visitor.client(&app).projects().await?.into_iter().map(|project| project.name).collect();
    projects.retain(|name| !name.is_empty());
    let title =
        if found.items.is_empty() { "Inbox".to_owned() } else { format!("({}) Inbox", found.total()) };
    let main = html! {
        @if let Some(done) = &done { (notice(done)) }
        div .bar {
            h1 { "Inbox" }
            (filter.controls("/", &projects, &found.assignees))
        }
        div #list data-live="list" { (list(&found, &filter, shown, now)) }
    };
    Ok(Page { title: &title, place: Place::Inbox, visitor: Some(&visitor), seq: Some(seq) }
        .send(StatusCode::OK, &main))
}

/// What waits, ranked.
#[derive(Debug)]
pub(super) struct Ranked {
    pub(super) items: Vec<Decision>,
    /// Whether more wait than were ranked.
    more: bool,
    /// Everyone who was asked by name.
    assignees: Vec<String>,
}

impl Ranked {
    fn total(&self) -> String {
        format!("{}{}", self.items.len(), if self.more { "+" } else { "" })
    }
}

/// Lists what waits and fits: urgent before normal, someone blocked before nobody, then the oldest first.
pub(super) async fn ranked(app: &App, visitor: &Visitor, filter: &Filter) -> Result<Ranked, Stopped> {
    let query = ListQuery {
        project: filter.project(),
        statuses: vec![Status::Pending],
        source: filter.source(),
        owner: filter.owner(),
        limit: RANKED,
        ..ListQuery::default()
    };
    let listed = visitor.client(app).list(&query).await?;
    let by = &visitor.caller.actor.by;
    let assignees: BTreeSet<String> =
        listed.items.iter().flat_map(|decision| decision.assignees.clone()).collect();
    let mut items = listed.items;
    // Whoever fills in a form for themselves asks nobody; looked for by source or owner, it is found.
    let looked_for = filter.source().is_some() || filter.owner().is_some();
    items.retain(|decision| filter.fits(decision, by) && (looked_for || !is_private(decision)));
    rank::rank(&mut items);
    Ok(Ranked { items, more: listed.next.is_some(), assignees: assignees.into_iter().take(200).collect() })
}

fn list(found: &Ranked, filter: &Filter, shown: usize, now: Timestamp) -> Markup {
    let query = filter.query();
    let tail = if query.is_empty() { String::new() } else { format!("?{query}") };
    html! {
        @if found.items.is_empty() {
            div .empty {
                p .big { @if filter.is_empty() { "Nothing waits for you." } @else { "Nothing that waits fits." } }
                p .hint { @if filter.is_empty() { "New decisions appear here by themselves." }
                    @else { a href="/" { "Show all that waits" } } }
            }
        } @else {
            p .hint.count { (found.total()) @if found.items.len() == 1 { " decision waits" } @else { " decisions wait" } }
            ol .rows {
                @for decision in found.items.iter().take(shown) { (row(decision, &tail, now)) }
            }
            @if found.items.len() > shown {
                p { a .button href={ "/?" (more(&query, shown + PAGE)) } { "Show more" } }
            } @else if found.more {
                p .hint { "More wait than are ranked here: narrow the list to see them." }
            }
        }
    }
}

fn more(query: &str, shown: usize) -> String {
    let amp = if query.is_empty() { "" } else { "&" };
    format!("{query}{amp}shown={shown}")
}

fn row(decision: &Decision, tail: &str, now: Timestamp) -> Markup {
    html! {
        li data-id=(decision.id) {
            a .row href={ "/d/" (decision.id) (tail) } {
                span .title dir="auto" { (words::short(decision.summary(), 160)) }
                span .meta {
                    span class={ "tag s-" (decision.source.name()) } { (words::source(decision.source)) }
                    @if let Some(priority) = words::priority(decision.priority) {
                        span class={ "tag p-" (priority.to_lowercase()) } { (priority) }
                    }
                    @if decision.iteration > 1 { span .tag { "Round " (decision.iteration) } }
                    @if let Some(by) = &decision.requested_by { span dir="auto" { (words::short(by, 40)) } }
                    @if let Some(owner) = &decision.owner { span dir="auto" { (words::short(&owner.to_string(), 40)) } }
                    @if decision.project != "default" { span dir="auto" { (words::short(&decision.project, 40)) } }
                    @if !decision.assignees.is_empty() {
                        span dir="auto" { "for " (words::short(&decision.assignees.join(", "), 60)) }
                    }
                    @if !decision.draft.is_empty() { span .tag { "Draft" } }
                }
                span .times {
                    span .age title="How long it has waited" { (words::ago(decision.created_at, now)) }
                    @if let Some(deadline) = decision.deadline {
                        span class={ "due" @if deadline.since(now).as_millis() < 600_000 { " soon" } } {
                            "due in " (words::left(deadline, now))
                        }
                    }
                }
            }
        }
    }
}

/// Says what became of the decision that was just settled.
fn notice(decision: &Decision) -> Markup {
    let what = match decision.status {
        Status::Pending => return html! {},
        Status::Refined => "Changes requested".to_owned(),
        Status::Answered => {
            format!("Answered: {}", words::short(&words::answered(decision), 80))
        }
        other => words::status(other).to_owned(),
    };
    html! {
        p .banner.good role="status" {
            span dir="auto" { (what) } " — "
            a href={ "/d/" (decision.id) } dir="auto" { (inert_line(&words::short(decision.summary(), 60))) }
        }
    }
}
