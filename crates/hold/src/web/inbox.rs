//! The inbox: pending decisions, most urgent and longest waiting first.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::{Decision, Status};
use holdpoint_engine::{Client as _, Detail, ListQuery, Projects as _};
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::filter::Filter;
use super::form::Form;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::{rows, suggested, views, words};
use crate::http::app::App;
use crate::view_model::identical::IdenticalGroup;
use crate::view_model::owners::OwnerNames;
use crate::view_model::verdict_commit::landed;
use crate::view_model::{identical, private, rank, vote_progress};

/// How many decisions are ranked; if there are more, the oldest are.
const RANKED: usize = 1_000;
/// How many decisions that are too long for lists are read, to name what they would do.
const READ_WHOLE: usize = 10;
/// How long to wait for the commit of a verdict that was just given, in order to show where it is.
const LANDING: Duration = Duration::from_secs(3);

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let asked = Form::parse(query);
    let filter = Filter::read(query);
    let shown = rows::shown(&asked);
    let seq = app.engine.store().head().await?.seq;
    let now = app.engine.now().await?;
    let found = ranked(&app, &visitor, &filter, Some(&visitor.caller.actor.by), shown).await?;
    let told = previous_outcome(&app, &visitor, &asked).await;
    let mut projects: Vec<String> =
        visitor.client(&app).projects().await?.into_iter().map(|project| project.name).collect();
    projects.retain(|name| !name.is_empty());
    let title = found.title();
    let names = found.names(&app, &visitor, shown).await;
    let views = views::markup(&app, &visitor, &filter, views::ViewedList::Inbox).await?;
    let main = html! {
        (told)
        div .bar {
            h1 { "Inbox" }
            (filter.controls("/", &projects, &found.assignees))
            (views)
        }
        @if filter.is_empty() { (suggested::line(&app, &visitor)) }
        (rows::list(&found, &names, &filter, shown, now))
        @if !found.items.is_empty() {
            // Outside the list, because the list is rendered once for all visitors who see the same.
            form #many .marks method="post" action="/many" {
                (visitor.token())
                input type="hidden" name="back" value=(filter.query());
                span data-marked {}
                button { "Answer together" kbd .number aria-hidden="true" { "Enter" } }
            }
        }
    };
    Ok(Page { title: &title, nav: NavItem::Inbox, visitor: Some(&visitor), seq: Some(seq) }
        .send(StatusCode::OK, &main))
}

/// Shows the outcome of the decision that was settled on the previous page, if there was one.
pub(super) async fn previous_outcome(app: &App, visitor: &Visitor, asked: &Form) -> Markup {
    let client = visitor.client(app);
    let Some(id) = Some(asked.get("done")).filter(|id| !id.is_empty()) else { return html! {} };
    let Ok(done) = client.get(id).await else { return html! {} };
    let landed = landed(&client, &done, LANDING).await;
    notice(&done, asked, landed.as_ref())
}

/// The pending decisions, ranked.
#[derive(Debug)]
pub(super) struct RankedInbox {
    /// Groups of identical questions.
    pub(super) items: Vec<IdenticalGroup>,
    /// How many decisions are pending.
    count: usize,
    /// Whether there are more than were ranked.
    pub(super) more: bool,
    /// All assignees.
    assignees: Vec<String>,
    /// How many the visitor has snoozed.
    pub(super) snoozed: usize,
    /// Everyone who has snoozed a decision.
    pub(super) snoozed_by: BTreeSet<String>,
}

impl RankedInbox {
    /// Returns the page's title.
    pub(super) fn title(&self) -> String {
        if self.items.is_empty() { "Inbox".to_owned() } else { format!("({}) Inbox", self.total()) }
    }

    /// Returns the names of the owners of the decisions that are shown.
    pub(super) async fn names(&self, app: &App, visitor: &Visitor, shown: usize) -> OwnerNames {
        let shown: Vec<Decision> =
            self.items.iter().take(shown).map(|group| group.decision.clone()).collect();
        OwnerNames::of(&visitor.client(app), &shown).await
    }

    /// Returns how many are pending, as a number.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns how many are pending, as far as they were counted.
    pub(super) fn total(&self) -> String {
        format!("{}{}", self.count, if self.more { "+" } else { "" })
    }
}

/// Lists the pending decisions that match, ranked; without those that `whose` has snoozed, or only those. The first
/// `shown` are verified against the log.
pub(super) async fn ranked(
    app: &App,
    visitor: &Visitor,
    filter: &Filter,
    whose: Option<&str>,
    shown: usize,
) -> Result<RankedInbox, PageError> {
    let query = ListQuery {
        project: filter.project(),
        statuses: vec![Status::Pending],
        source: filter.source(),
        owner: filter.owner(),
        search: filter.search(),
        limit: RANKED,
        detail: Detail::Brief,
        unchecked: true,
        ..ListQuery::default()
    };
    let client = visitor.client(app);
    let (mut items, more) = private::list(&client, query, |_| true).await?;
    let by = &visitor.caller.actor.by;
    let assignees: BTreeSet<String> = items.iter().flat_map(|decision| decision.assignees.clone()).collect();
    items.retain(|decision| filter.fits(decision, by));
    let now = app.engine.now().await?;
    let snoozed_by = items.iter().flat_map(|decision| decision.snoozed_by(now)).map(str::to_owned).collect();
    let is_snoozed =
        |decision: &Decision| whose.is_some_and(|who| decision.snoozed_until(who, now).is_some());
    let snoozed = items.iter().filter(|decision| is_snoozed(decision)).count();
    items.retain(|decision| is_snoozed(decision) == filter.shows_snoozed());
    let assignees = assignees.into_iter().take(200).collect();
    let count = items.len();
    let mut items = identical::group(rank::rank(items, now));
    let mut read = 0;
    for group in items.iter_mut().take(shown) {
        let decision = &mut group.decision;
        // Lists omit long subjects, but a row should say what would be done.
        let is_omitted = decision.subject.is_none() && decision.subject_digest.is_some();
        if is_omitted && read < READ_WHOLE {
            read += 1;
            if let Ok(whole) = client.get(&decision.id.to_string()).await {
                decision.subject = whole.subject;
                continue;
            }
        }
        client.check_listed(std::slice::from_mut(decision)).await?;
    }
    Ok(RankedInbox { items, count, more, assignees, snoozed, snoozed_by })
}

/// Describes the outcome of the decision that was just settled, of those that asked the same, and of the commit that
/// it ordered.
fn notice(decision: &Decision, asked: &Form, landed: Option<&Result<String, String>>) -> Markup {
    let many = |name: &str| asked.get(name).parse::<usize>().unwrap_or(0);
    let (also, left) = (many("also"), many("left"));
    let what = match decision.status {
        Status::Pending => match vote_progress::voted(decision) {
            Some(voted) => voted,
            None => return html! {},
        },
        Status::Refined => "Changes requested".to_owned(),
        Status::Answered => {
            format!("Answered: {}", words::short(&words::answered(decision), 80))
        }
        other => words::status(other).to_owned(),
    };
    html! {
        p .banner.good role="status" {
            span dir="auto" { (what) } " — "
            a href={ "/d/" (decision.id) } dir="auto" { (words::headline(decision, 60)) }
            @if also > 0 { br; "Also answered " (also) @if also == 1 { " identical request." } @else { " identical requests." } }
            @if left > 0 { br; (left) " not answered: settled or changed meanwhile." }
            @if let Some(Ok(words)) = landed { br; span dir="auto" { (words) } }
        }
        @if let Some(Err(why)) = landed { p .banner.bad role="alert" dir="auto" { (why) } }
    }
}
