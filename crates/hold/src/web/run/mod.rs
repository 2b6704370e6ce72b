//! The page of one run: what it proposes, what was found about it, and the attempts before it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use holdpoint_core::run::{ObjectId, PatchSet, Standing, Verdict};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Run, RunStatus, Status};
use holdpoint_engine::run::{RunLog, ShownRun};
use holdpoint_engine::{Client as _, Runs as _};
use maud::{Markup, html};

use super::error::Reply;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::words;
use crate::api::{App, patch_named};
use crate::shown::owners::job_name;
use crate::shown::run::branch_name;

mod beside;
mod change;
mod context;
mod diff;
mod evidence;
mod files;
mod graph;
mod list;
mod say;
mod stands;

pub(super) use beside::{ShownChange, afterwards, beside};
use change::Change;
pub(super) use context::lines;
pub(super) use list::list;
pub(super) use say::{comment, output, retry};

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    uri: Uri,
) -> Reply {
    // Read first: what happens while the page is made is heard of once more.
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
        // Each part is replaced when something happens; a change that is being read stays where it is.
        div data-part="way" { (stands::way(standing)) }
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

/// What of a run is to be shown.
struct RunPageParams {
    /// Which patch set, from 1; none if 0.
    patchset: usize,
    /// Whether before and after stand side by side.
    split: bool,
    /// Which page of the diff, from 1.
    page: usize,
    /// Which row of the diff something is to be said about.
    say: Option<usize>,
    /// What the patch set is compared with instead of its base.
    against: Option<(ObjectId, usize)>,
}

impl RunPageParams {
    fn read(query: &str, run: &Run) -> Self {
        let mut params =
            Self { patchset: run.patchsets.len(), split: false, page: 1, say: None, against: None };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "patchset" => params.patchset = value.parse().unwrap_or(params.patchset),
                "view" => params.split = value == "split",
                "say" => params.say = value.parse().ok(),
                "against" => params.against = patch_named(&value).ok(),
                "page" => params.page = value.parse().unwrap_or(1).max(1),
                _ => {}
            }
        }
        params
    }

    /// Returns the address of the very page that is shown, also when there is more by then.
    fn page_of(&self, run: &Run) -> String {
        let address = self.address(run);
        address.split('#').next().unwrap_or_default().to_owned()
    }

    /// Returns the address of the same page with something else on it.
    fn address(&self, run: &Run) -> String {
        let view = if self.split { "&view=split" } else { "" };
        let page = if self.page > 1 { format!("&page={}", self.page) } else { String::new() };
        let against =
            self.against.map(|(run, number)| format!("&against={run}:{number}")).unwrap_or_default();
        let (say, place) = match self.say {
            Some(say) => (format!("&say={say}"), "say-here"),
            None => (String::new(), "diff"),
        };
        format!("/runs/{}?patchset={}{view}{page}{against}{say}#{place}", run.id, self.patchset)
    }
}

/// Returns the decision that asks for the verdict, while it can be given.
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
            p .meta { span .tag { "Run" } span .tag { (standing.map_or(run.status.name(), stands::word)) } span .id { (crate::shown::run::run_name(run.id)) } }
            h1 dir="auto" { (words::short(&run.task.title, 300)) }
            @if let Some(description) = &run.task.description { p .pre dir="auto" { (inert(description)) } }
            p .asks {
                "On " bdi { (inert_line(&run.repo)) } ", from " code { (short(&run.base)) } ", for branch "
                bdi { (inert_line(run.branch.trim_start_matches("refs/heads/"))) } "."
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
                        @if verdict.verdict == Verdict::Commit { ". To merge it: " code { "git merge " (branch) } }
                    }
                    @if let Some(back) = rolled_back_by { ", rolled back by " a href={ "/runs/" (back) } { "run " (crate::shown::run::run_name(back)) } }
                    @if let Some(on) = resumed_by { ". " a href={ "/runs/" (on) } { "Run " (crate::shown::run::run_name(on)) } " continues from it" }
                    @if let Some(next) = &verdict.next { ". " a href={ "/runs/" (next) } { "The next attempt" } }
                    @for note in &verdict.notes { br; span .pre { "Note: " (inert(note)) } }
                }
            }
        }
    }
}

fn about(run: &Run, patchset: &PatchSet, params: &RunPageParams, attempts: &[ShownRun]) -> Markup {
    let with = |change: &dyn Fn(&mut RunPageParams)| {
        let mut other = RunPageParams { say: None, ..*params };
        change(&mut other);
        other.address(run)
    };
    let others = others(run, params, attempts);
    html! {
        @if params.patchset < run.patchsets.len() {
            p .banner { "There is a newer patch set: "
                a href=(with(&|it| (it.patchset, it.page, it.against) = (run.patchsets.len(), 1, None))) {
                    "show patch set " (run.patchsets.len()) } }
        }
        @if let Some(rationale) = &patchset.rationale { p .pre dir="auto" { (inert(rationale)) } }
        div .ways {
            @if run.patchsets.len() > 1 {
                p { "Patch sets: " @for number in 1..=run.patchsets.len() {
                    a href=(with(&|it| (it.patchset, it.page, it.against) = (number, 1, None)))
                        aria-current=[(number == params.patchset).then_some("true")] { (number) } " "
                } }
            }
            @if !others.is_empty() {
                p { "Show against: "
                    a href=(with(&|it| (it.page, it.against) = (1, None))) aria-current=[params.against.is_none().then_some("true")] { "its base" }
                    @for (other, words) in &others {
                        " · " a href=(with(&|it| (it.page, it.against) = (1, Some(*other))))
                            aria-current=[(params.against == Some(*other)).then_some("true")] { (words) }
                    }
                }
            }
            (views(run, params))
        }
    }
}

/// The two ways to look at a change.
fn views(run: &Run, params: &RunPageParams) -> Markup {
    let with = |split: bool| RunPageParams { split, say: None, ..*params }.address(run);
    html! {
        p {
            a href=(with(false)) aria-current=[(!params.split).then_some("true")] { "One column" } " · "
            a href=(with(true)) aria-current=[params.split.then_some("true")] { "Side by side" }
        }
    }
}

/// What a patch set can be compared with: the one before it, and the last of each earlier attempt.
fn others(run: &Run, params: &RunPageParams, attempts: &[ShownRun]) -> Vec<((ObjectId, usize), String)> {
    /// How many earlier attempts are offered.
    const OFFERED: usize = 10;
    let before = params.patchset.checked_sub(1).filter(|before| *before > 0);
    let mut others: Vec<_> =
        before.map(|number| ((run.id, number), format!("patch set {number}"))).into_iter().collect();
    let earlier =
        attempts.iter().enumerate().filter(|(_, other)| other.id < run.id && !other.patchsets.is_empty());
    let earlier: Vec<_> = earlier
        .map(|(at, other)| ((other.id, other.patchsets.len()), format!("attempt {}", at + 1)))
        .collect();
    others.extend(earlier.into_iter().rev().take(OFFERED));
    others
}

fn attempt(other: &ShownRun, run: &Run) -> Markup {
    let how = stands::word(&other.standing);
    html! {
        @if other.id == run.id { strong { "This one" } } @else { a href={ "/runs/" (other.id) } { (crate::shown::run::run_name(other.id)) } }
        ": " (graph::counted(other.patchsets.len(), "patch set")) ", " (how)
    }
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
