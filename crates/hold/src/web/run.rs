//! The page of one run: what it proposes, what was found about it, and the attempts before it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use holdpoint_core::run::{Evidence, PatchSet};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Run, RunStatus};
use maud::{Markup, html};

use super::page::{Page, Place};
use super::stopped::Reply;
use super::visitor::Visitor;
use super::words;
use crate::api::App;
use crate::shown::diff::{self, Row, RowKind};

/// How many lines of a diff are on one page.
const LINES: usize = 800;

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    uri: Uri,
) -> Reply {
    let run = app.engine.find_run(&visitor.caller, &id).await?;
    let asked = Asked::read(uri.query().unwrap_or_default(), &run);
    let patchset = asked.patchset.checked_sub(1).and_then(|at| run.patchsets.get(at));
    let text = match patchset {
        Some(patchset) => match app.engine.artifact(&run, &patchset.artifact).await {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => Err(error.to_string()),
        },
        None => Ok(String::new()),
    };
    let attempts = app.engine.attempts(run.task.id).await?;
    let main = html! {
        @if let Some(decision) = run.decision.filter(|_| run.status == RunStatus::Finished) {
            p .back { a href={ "/d/" (decision) } { "← Give the verdict" } }
        }
        article .card {
            (head(&run))
            @if !run.evidence.is_empty() {
                section aria-labelledby="found" {
                    h2 #found { "What was found" }
                    @for evidence in &run.evidence { (finding(evidence)) }
                }
            }
            @if let Some(patchset) = patchset {
                section aria-labelledby="diff" {
                    h2 #diff { "Patch set " (patchset.sequence + 1) }
                    (about(&run, patchset, &asked))
                    @match &text {
                        Ok(text) => (changes(text, &run, &asked)),
                        Err(why) => p .banner.bad { (inert_line(why)) },
                    }
                }
            } @else {
                p .hint { "Nothing is proposed." }
            }
            @if attempts.len() > 1 {
                section aria-labelledby="attempts" {
                    h2 #attempts { "All attempts at this task" }
                    ol reversed { @for other in &attempts { li { (attempt(other, &run)) } } }
                }
            }
        }
    };
    let title = words::short(&run.task.title, 80);
    let page = Page { title: &title, place: Place::Elsewhere, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

/// What of a run is to be shown.
struct Asked {
    /// Which patch set, from 1; none if 0.
    patchset: usize,
    /// Whether before and after stand side by side.
    split: bool,
    /// Which page of the diff, from 1.
    page: usize,
}

impl Asked {
    fn read(query: &str, run: &Run) -> Self {
        let mut asked = Self { patchset: run.patchsets.len(), split: false, page: 1 };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "patchset" => asked.patchset = value.parse().unwrap_or(asked.patchset),
                "view" => asked.split = value == "split",
                "page" => asked.page = value.parse().unwrap_or(1).max(1),
                _ => {}
            }
        }
        asked
    }

    fn address(run: &Run, patchset: usize, split: bool, page: usize) -> String {
        let view = if split { "&view=split" } else { "" };
        let page = if page > 1 { format!("&page={page}") } else { String::new() };
        format!("/runs/{}?patchset={patchset}{view}{page}#diff", run.id)
    }
}

fn head(run: &Run) -> Markup {
    html! {
        header {
            p .meta { span .tag { "Run" } span .tag { (run.status.name()) } span .id { (run.id) } }
            h1 dir="auto" { (words::short(&run.task.title, 300)) }
            @if let Some(description) = &run.task.description { p .pre dir="auto" { (inert(description)) } }
            p .asks {
                "On " bdi { (inert_line(&run.repo)) } ", from " code { (short(&run.base)) } ", for branch "
                bdi { (inert_line(run.branch.trim_start_matches("refs/heads/"))) } "."
            }
            @if let Some(guidance) = &run.guidance {
                section .said aria-label="Guidance for this attempt" { p .pre dir="auto" { (inert(guidance)) } }
            }
            @if let Some(trouble) = &run.trouble { p .banner.bad.pre { (inert(trouble)) } }
            @if let Some(verdict) = &run.verdict {
                p .banner {
                    "Verdict: " (verdict.verdict.name()) ", by " bdi { (inert_line(&verdict.by)) }
                    @if let Some(commit) = &verdict.commit { ", commit " code { (short(commit)) } }
                    @if let Some(next) = &verdict.next { ". " a href={ "/runs/" (next) } { "The next attempt" } }
                }
            }
        }
    }
}

fn finding(evidence: &Evidence) -> Markup {
    let (how, bad) = match evidence.exit_code {
        Some(0) => ("passed".to_owned(), false),
        Some(code) => (format!("failed with exit code {code}"), true),
        None => ("did not end by itself".to_owned(), true),
    };
    let what = evidence.command.as_deref().unwrap_or(&evidence.tool);
    html! {
        details .fold open[bad] {
            summary { (inert_line(&evidence.kind)) ": " code { (words::short(what, 120)) } " " (how) }
            @if let Some(summary) = &evidence.summary { pre dir="ltr" { (inert(summary)) } }
        }
    }
}

fn about(run: &Run, patchset: &PatchSet, asked: &Asked) -> Markup {
    let view = |split: bool| Asked::address(run, asked.patchset, split, asked.page);
    html! {
        @if let Some(rationale) = &patchset.rationale { p .pre dir="auto" { (inert(rationale)) } }
        @if run.patchsets.len() > 1 {
            p { "Patch sets: " @for number in 1..=run.patchsets.len() {
                a href=(Asked::address(run, number, asked.split, 1)) aria-current=[(number == asked.patchset).then_some("true")] { (number) } " "
            } }
        }
        details .fold {
            summary { (patchset.touched.len()) " files touched" }
            ul { @for file in patchset.touched.iter().take(1_000) {
                li { "+" (file.added) " −" (file.deleted) " " bdi { (inert_line(&file.path)) } }
            } }
        }
        p {
            a href=(view(false)) aria-current=[(!asked.split).then_some("true")] { "One column" } " · "
            a href=(view(true)) aria-current=[asked.split.then_some("true")] { "Side by side" }
        }
    }
}

fn changes(text: &str, run: &Run, asked: &Asked) -> Markup {
    let rows = diff::rows(text);
    let pages = rows.len().div_ceil(LINES).max(1);
    let page = asked.page.min(pages);
    let shown = &rows[((page - 1) * LINES).min(rows.len())..(page * LINES).min(rows.len())];
    let link = |to: usize| Asked::address(run, asked.patchset, asked.split, to);
    html! {
        div .diff tabindex="0" role="region" aria-label="The change" {
            table {
                @if asked.split {
                    @for (left, right) in diff::sides(shown) { (beside(left, right)) }
                } @else {
                    @for row in shown { (below(row)) }
                }
            }
        }
        @if pages > 1 {
            nav aria-label="Pages of the change" {
                p { @if page > 1 { a href=(link(page - 1)) { "← Before" } " " }
                    "Page " (page) " of " (pages)
                    @if page < pages { " " a href=(link(page + 1)) { "On →" } } }
            }
        }
    }
}

fn class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::File => "file",
        RowKind::Note => "note",
        RowKind::Place => "place",
        RowKind::Same => "same",
        RowKind::Added => "added",
        RowKind::Deleted => "deleted",
    }
}

/// The sign of a line: what it is must be seen without colours.
fn sign(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Added => "+",
        RowKind::Deleted => "−",
        _ => " ",
    }
}

fn below(row: &Row<'_>) -> Markup {
    if matches!(row.kind, RowKind::File | RowKind::Note | RowKind::Place) {
        return html! { tr class=(class(row.kind)) { td colspan="3" dir="ltr" { (inert_line(row.text)) } } };
    }
    html! {
        tr class=(class(row.kind)) {
            td .n { @if let Some(n) = row.old { (n) } }
            td .n { @if let Some(n) = row.new { (n) } }
            td dir="ltr" { (sign(row.kind)) (inert(row.text)) }
        }
    }
}

fn beside(left: Option<Row<'_>>, right: Option<Row<'_>>) -> Markup {
    let whole = left.filter(|row| matches!(row.kind, RowKind::File | RowKind::Note | RowKind::Place));
    if let Some(row) = whole {
        return html! { tr class=(class(row.kind)) { td colspan="4" dir="ltr" { (inert_line(row.text)) } } };
    }
    let side = |row: Option<Row<'_>>, number: Option<u32>| {
        let Some(row) = row else { return html! { td .n {} td .none {} } };
        html! {
            td .n { @if let Some(n) = number { (n) } }
            td class=(class(row.kind)) dir="ltr" { (sign(row.kind)) (inert(row.text)) }
        }
    };
    html! { tr { (side(left, left.and_then(|row| row.old))) (side(right, right.and_then(|row| row.new))) } }
}

fn attempt(other: &Run, run: &Run) -> Markup {
    let how = other.verdict.as_ref().map_or(other.status.name(), |verdict| verdict.verdict.name());
    html! {
        @if other.id == run.id { strong { "This one" } } @else { a href={ "/runs/" (other.id) } { (other.id) } }
        ": " (other.patchsets.len()) " patch sets, " (how)
    }
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
