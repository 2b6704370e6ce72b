//! How long agents waited for people: small charts with tables.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::text::inert_line;
use maud::{Markup, html};

use super::error::Reply;
use super::form::Form;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use crate::http::app::App;
use crate::view_model::insights::{self, DAYS, Day, Insights, Line, span};

/// The width and height of the chart of days.
const WIDE: usize = 720;
const HIGH: usize = 120;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let asked = Form::parse(uri.query().unwrap_or_default());
    let days = insights::days(asked.get("days"));
    let project = Some(asked.get("project").to_owned()).filter(|project| !project.is_empty());
    let found = insights::read(&visitor.client(&app), project.clone(), days).await?;
    let main = html! {
        div .bar {
            h1 { "Insights" @if let Some(project) = &project { ": " bdi { (inert_line(project)) } } }
            nav .days aria-label="Days" {
                @for known in DAYS { a .button.plain href={ "/insights?days=" (known) } aria-current=[(known == days).then_some("page")] { (known) " days" } }
            }
        }
        (figures(&found))
        @if found.more { p .hint { "Only the latest decisions are counted." } }
        section .panel { h2 { "Answers per day" } (chart(&found.per_day)) }
        section .panel {
            h2 { "Blocked now" }
            @if found.blocked.is_empty() { p .hint { "Nobody is blocked." } } @else {
                div .scroll tabindex="0" role="region" aria-label="Blocked now" { table .figures {
                    thead { tr { th scope="col" { "Agent" } th scope="col" { "Waiting" } th scope="col" { "Longest" } } }
                    tbody { @for one in &found.blocked { tr { th scope="row" dir="auto" { (one.agent) } td { (one.waiting) } td { (span(one.longest_ms)) } } } }
                } }
            }
        }
        (table("By person", "Person", &found.people))
        (table("By agent", "Agent", &found.agents))
        (table("By project", "Project", &found.projects))
        (table("By source", "Source", &found.sources))
    };
    Ok(Page { title: "Insights", nav: NavItem::Insights, visitor: Some(&visitor), seq: None }
        .send(StatusCode::OK, &main))
}

fn figures(found: &Insights) -> Markup {
    let figures = [
        ("Answered", found.answered.to_string()),
        ("Median wait", span(found.median_ms)),
        ("95th percentile", span(found.p95_ms)),
        ("Timed out", found.timed_out.to_string()),
        ("Time blocked", span(found.blocked_ms)),
        ("Answered by rules", found.by_rules.to_string()),
        ("Identical requests saved", found.by_same.to_string()),
    ];
    html! { dl .tiles { @for (name, value) in figures { div { dt { (name) } dd { (value) } } } } }
}

/// Draws the number of answers per day; the table below has the same figures.
fn chart(days: &[Day]) -> Markup {
    let most = days.iter().map(|day| day.answered).max().unwrap_or(0).max(1);
    let step = WIDE / days.len().max(1);
    html! {
        // As wide as there is room: the newest days must be visible on any screen.
        div .drawing {
            svg .days-chart viewBox={ "0 0 " (WIDE) " " (HIGH) } preserveAspectRatio="none" role="img" aria-label={ "Answers per day, at most " (most) "; the table below says the same" } {
                @for (at, day) in days.iter().enumerate() {
                    @let height = (day.answered * HIGH).div_ceil(most);
                    rect x=(at * step) y=(HIGH - height) width=(step.saturating_sub(2).max(1)) height=(height) { title { (day.date) ": " (day.answered) } }
                }
            }
            @if let (Some(first), Some(last)) = (days.first(), days.last()) {
                p .hint.days-span { span { (first.date) } span { (last.date) } }
            }
        }
        details { summary { "As a table" }
            table .figures {
                thead { tr { th scope="col" { "Day" } th scope="col" { "Answered" } th scope="col" { "Median wait" } } }
                tbody { @for day in days.iter().rev().filter(|day| day.answered > 0) { tr { th scope="row" { (day.date) } td { (day.answered) } td { (span(day.median_ms)) } } } }
            }
        }
    }
}

fn table(title: &str, what: &str, lines: &[Line]) -> Markup {
    html! {
        @if !lines.is_empty() {
            section .panel {
                h2 { (title) }
                div .scroll tabindex="0" role="region" aria-label=(title) { table .figures {
                    thead { tr { th scope="col" { (what) } th scope="col" { "Answered" } th scope="col" { "Median wait" } th scope="col" { "95th percentile" } } }
                    tbody { @for line in lines { tr { th scope="row" dir="auto" { (line.name) } td { (line.answered) } td { (span(line.median_ms)) } td { (span(line.p95_ms)) } } } }
                } }
            }
        }
    }
}
