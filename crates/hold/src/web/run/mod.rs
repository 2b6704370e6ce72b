//! The page of a run: its proposal, the evidence, and earlier attempts.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use holdpoint_core::run::{ObjectId, Standing, Verdict};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Run, RunStatus, Status};
use holdpoint_engine::run::{RunLog, ShownRun};
use holdpoint_engine::{Client as _, Runs as _};
use maud::{Markup, html};

use super::error::Reply;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;
use crate::view_model::owners::job_name;
use crate::view_model::run::{branch_name, short};
use crate::view_model::verdict_commit::merging;

mod beside;
mod change;
mod context;
mod diff;
mod evidence;
mod files;
mod gap;
mod graph;
mod list;
mod params;
mod say;
mod stands;

pub(super) use beside::{ShownChange, afterwards, evidence_and_change};
use change::Change;
pub(super) use context::lines;
pub(super) use list::list;
use params::RunPageParams;
pub(super) use say::{comment, output, retry};

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    uri: Uri,
) -> Reply {
    // Read first, so that events during rendering are reported again rather than missed.
    let seq = app.engine.store().head().await?.seq;
    let run = app.engine.find_run(&visitor.caller, &id).await?;
    let params = RunPageParams::read(uri.query().unwrap_or_default(), &run);
    let change = Change::of(&app, &visitor, &run, &params).await;
    let RunLog { items: attempts, state } = visitor.client(&app).run_log(&run.id.to_string()).await?;
    let shown = attempts.iter().find(|attempt| attempt.id == run.id);
    let standing = shown.map(|shown| &shown.standing);
    let rolled_back_by = shown.and_then(|shown| shown.rolled_back_by);
    let resumed_by = shown.and_then(|shown| shown.resumed_by.last().copied());
    let pending = pending(&app, &visitor, &run).await;
    let job_name = match &run.job {
        Some(job) => job_name(&visitor.client(&app), job).await,
        None => None,
    };
    let main = html! {
        // Each part is replaced when something happens; a change that is being read stays.
        div data-part="way" { (stands::back_to_verdict(standing)) }
        article .card #run data-live={ "/runs/" (run.id) "/live?after=" (seq) } {
            div data-part="head" { (head(&run, standing, (rolled_back_by, resumed_by), job_name.as_deref())) }
            div data-part="found" { (evidence::all(&run)) }
            div data-part="diff" data-keep=[change.patchset.map(|_| "")] data-page=[change.patchset.map(|_| params.page_of(&run))] {
                (change.markup(&run, &params, &attempts, &visitor, pending.as_ref()))
            }
            div data-part="say" { (say::all(&run, pending.as_ref(), &visitor)) }
            section data-part="life" aria-labelledby="attempts" {
                h2 #attempts { "History of this task" }
                (stands::of_task(&state))
                (graph::draw(&attempts, &run))
                ol { @for other in &attempts { li { (attempt(other, &run)) } } }
            }
        }
    };
    let title = words::short(&run.task.title, 80);
    let page = Page { title: &title, nav: NavItem::Elsewhere, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

/// Returns the decision that asks for the verdict, while it is pending.
async fn pending(app: &App, visitor: &Visitor, run: &Run) -> Option<Decision> {
    let decision = run.decision.filter(|_| run.status == RunStatus::Finished)?;
    let decision = visitor.client(app).get(&decision.to_string()).await.ok()?;
    (decision.status == Status::Pending).then_some(decision)
}

fn head(
    run: &Run,
    standing: Option<&Standing>,
    (rolled_back_by, resumed_by): (Option<ObjectId>, Option<ObjectId>),
    job_name: Option<&str>,
) -> Markup {
    html! {
        header {
            p .meta { span .tag { "Run" } span .tag { (standing.map_or(run.status.name(), stands::word)) } span .id { (crate::view_model::run::run_name(run.id)) } }
            h1 dir="auto" { (words::short(&run.task.title, 300)) }
            @if let Some(description) = &run.task.description { p .pre dir="auto" { (inert(description)) } }
            p .asks {
                bdi { (inert_line(&run.repo)) } " · base " code { (run.base.get(..7).unwrap_or(&run.base)) } " → "
                bdi { (branch_name(&run.branch)) }
            }
            @if let Some(guidance) = &run.guidance {
                section .said aria-label="Guidance for this attempt" { p .pre dir="auto" { (inert(guidance)) } }
            }
            (stands::of_run(run, standing, job_name))
            @if let Some(trouble) = &run.trouble { p .banner.bad.pre { (inert(trouble)) } }
            @if let Some(verdict) = &run.verdict {
                p .banner {
                    "Verdict: " (verdict.verdict.name()) ", by " bdi { (inert_line(&verdict.by)) }
                    @if let Some(patchset) = verdict.patchset.and_then(|id| run.patchset(id)) { ", patch set " (patchset.number()) }
                    @if let Some(commit) = &verdict.commit {
                        @let branch = branch_name(&run.branch);
                        ", commit " code { (short(commit)) } " on branch " bdi { (branch) }
                        @if verdict.verdict == Verdict::Commit { ". " (merging(run)) }
                    }
                    @if let Some(back) = rolled_back_by { ", rolled back by " a href={ "/runs/" (back) } { "run " (crate::view_model::run::run_name(back)) } }
                    @if let Some(on) = resumed_by { ". " a href={ "/runs/" (on) } { "Run " (crate::view_model::run::run_name(on)) } " continues from it" }
                    @if let Some(next) = &verdict.next { ". " a href={ "/runs/" (next) } { "The next attempt" } }
                    @for note in &verdict.notes { br; span .pre { "Note: " (inert(note)) } }
                }
            }
        }
    }
}

fn attempt(other: &ShownRun, run: &Run) -> Markup {
    let how = stands::word(&other.standing);
    html! {
        @if other.id == run.id { strong { "This one" } } @else { a href={ "/runs/" (other.id) } { (crate::view_model::run::run_name(other.id)) } }
        ": " (graph::counted(other.patchsets.len(), "patch set")) ", " (how)
    }
}
