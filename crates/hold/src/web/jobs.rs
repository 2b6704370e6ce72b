//! Jobs: a list of those that run or wait, and a page per job with its screen, steps and decisions.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Job, JobStatus, Status, Timestamp};
use holdpoint_engine::jobs::{DeletedJob, Steer, owner_of};
use holdpoint_engine::store::JobQuery;
use holdpoint_engine::{Client, Jobs as _, ListQuery};
use maud::{Markup, html};

use super::error::{PageError, Reply};
use super::form::{Form, Posted};
use super::page::{NavItem, Page, see_other};
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;
use crate::http::path::Path;
use crate::view_model::leftovers::leftovers;
use crate::view_model::run::brief;

/// How many jobs are listed.
const LISTED: usize = 200;
/// How many of its decisions a job's page shows.
const DECISIONS: usize = 50;

pub(super) async fn list(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let all = Form::parse(uri.query().unwrap_or_default()).get("all") == "1";
    let statuses = JobStatus::ALL.into_iter().filter(|status| all || status.is_active()).collect();
    let query = JobQuery { statuses, limit: LISTED, ..JobQuery::default() };
    let client = visitor.client(&app);
    let jobs = client.jobs(&query).await?;
    let mut stuck = HashSet::new();
    for job in jobs.iter().filter(|job| job.status == JobStatus::Waiting) {
        if is_stuck(&client, job).await {
            stuck.insert(job.id.as_str());
        }
    }
    let now = app.engine.now().await?;
    let main = html! {
        div .bar {
            h1 { "Jobs" }
            @if all { a .button href="/jobs" { "Running only" } } @else { a .button href="/jobs?all=1" { "Include ended" } }
        }
        div #job data-refresh=(uri.path_and_query().map_or("/jobs", |place| place.as_str())) {
            @if jobs.is_empty() {
                div .empty { p .big { "No jobs." } p { "Start one with " code { "hold job start" } "." } }
            } @else {
                ol .rows { @for job in &jobs { (row(job, stuck.contains(job.id.as_str()), now)) } }
            }
        }
    };
    let page = Page { title: "Jobs", nav: NavItem::Jobs, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

/// Returns whether everything that a job waits for is settled, so that it stands still until somebody resumes it.
async fn is_stuck(client: &dyn Client, job: &Job) -> bool {
    for id in job.awaited() {
        let settled = client.get(&id.to_string()).await.is_ok_and(|one| one.status != Status::Pending);
        if !settled {
            return false;
        }
    }
    true
}

fn row(job: &Job, is_stuck: bool, now: Timestamp) -> Markup {
    html! {
        li data-id=(job.id) {
            a .row href={ "/jobs/" (job.id) } {
                span .title dir="auto" { (words::short(&job.name, 160)) }
                span .meta {
                    @if let Some(again) = &job.again { span .tag { "attempt " (again.attempt) } }
                    (tag(job))
                    @if is_stuck { span .tag { "settled without a next step: resume or cancel it" } }
                    span dir="auto" { (words::short(&job.step, 40)) }
                    @if let Some(error) = &job.error { span dir="auto" { (words::short(error, 80)) } }
                    @if job.project != "default" { span dir="auto" { (words::short(&job.project, 40)) } }
                    span { (job.id) }
                }
                span .times { span .age { (words::ago(job.created_at, now)) } }
            }
        }
    }
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, Path(id): Path) -> Reply {
    let client = visitor.client(&app);
    let job = client.job(&id).await?;
    let query = ListQuery {
        project: Some(job.project.clone()),
        owner: Some(owner_of(&job)),
        newest_first: true,
        limit: DECISIONS,
        ..ListQuery::default()
    };
    let decisions = client.list(&query).await?.items;
    let run = client.job_run(&job.id).await.ok().flatten();
    let screen = client.job_screen(&job.id).await.ok();
    let rows = screen.map(|screen| screen.text.rows.iter().map(|row| inert(row)).collect::<Vec<_>>());
    let now = app.engine.now().await?;
    let title = words::short(&job.name, 60);
    let main = html! {
        p { a data-back href="/jobs" { "All jobs" } }
        h1 dir="auto" { (title) }
        div #job data-refresh={ "/jobs/" (job.id) } {
            p { (tag(&job)) " in step " bdi { (inert_line(&job.step)) } " · " (job.id) }
            @if let Some(error) = &job.error { p dir="auto" { (inert_line(error)) } }
            @if let Some(note) = job.account_note() { p { (note) } }
            (attempts(&job))
            @if let Some(run) = &run { p { "Is " a href={ "/runs/" (run.id) } { "run " (run.id) } ": " (brief(run)) } }
            (waits(&job, &decisions))
            @if let Some(rows) = &rows {
                h2 { "Terminal" }
                pre .screen tabindex="0" role="region" aria-label="What the agent's terminal shows" { (rows.join("\n").trim_end()) }
            }
            h2 { "Steps" }
            @if job.history.is_empty() { p { "None started yet." } }
            ol .steps {
                @for visit in &job.history {
                    li {
                        bdi { (inert_line(&visit.step)) } " "
                        span .tag { (visit.outcome.as_deref().unwrap_or("running")) } " "
                        (words::ago(visit.started_at, now))
                        @if let Some(detail) = &visit.detail { " " span dir="auto" { (words::short(detail, 200)) } }
                    }
                }
            }
            h2 { "Decisions" }
            @if decisions.is_empty() { p { "None." } }
            ul .steps {
                @for decision in &decisions {
                    li {
                        a href={ "/d/" (decision.id) } dir="auto" { (words::headline(decision, 100)) } " "
                        span .tag { (words::status(decision.status)) }
                        @if let Some(reason) = &decision.reason { " " span dir="auto" { (words::short(reason, 100)) } }
                    }
                }
            }
        }
        (controls(&visitor, &job))
    };
    let page = Page { title: &title, nav: NavItem::Jobs, visitor: Some(&visitor), seq: None };
    Ok(page.send(StatusCode::OK, &main))
}

/// Links to the job that this one retries, and to the job that retries this one.
fn attempts(job: &Job) -> Markup {
    html! {
        @if let Some(again) = &job.again {
            p {
                "Attempt " (again.attempt) ": tries " a href={ "/jobs/" (again.job) } { (inert_line(&again.job)) } " again, as "
                a href={ "/runs/" (again.run) } { "a run of its own" } "."
            }
            @if let Some(words) = again.describe() { section .said aria-label="Guidance for this attempt" { p .pre dir="auto" { (inert(&words)) } } }
        }
        @if let Some(next) = &job.next { p .banner { "Retried as " a href={ "/jobs/" (next) } { (inert_line(next)) } "." } }
    }
}

/// Describes what a job waits for, and how to resume it if it stands still.
fn waits(job: &Job, decisions: &[Decision]) -> Markup {
    let open: Vec<&Decision> = decisions.iter().filter(|one| one.status == Status::Pending).collect();
    html! {
        @for decision in &open {
            p .banner { "Waiting for " a href={ "/d/" (decision.id) } dir="auto" { (words::headline(decision, 100)) } }
        }
        @if job.status == JobStatus::Waiting && open.is_empty() {
            p .banner { "Settled without a next step: resume or cancel." }
        }
    }
}

fn controls(visitor: &Visitor, job: &Job) -> Markup {
    let ended = !job.status.is_active();
    let resumes = matches!(job.status, JobStatus::Waiting | JobStatus::Failed | JobStatus::Suspended)
        && job.next.is_none();
    html! {
        h2 { "Steer" }
        form .panel method="post" action={ "/jobs/" (job.id) } {
            (visitor.token())
            @if !ended || resumes {
                label for="words" { "Message to the agent" }
                input #words name="message" autocomplete="off";
            }
            p {
                @if resumes { button name="verb" value="resume" { "Resume" } " " }
                @if !ended { button name="verb" value="restart" { "Restart the step" } " " button name="verb" value="suspend" { "Suspend" } " " button name="verb" value="cancel" { "Cancel" } }
                @if job.status == JobStatus::Suspended { " " button name="verb" value="cancel" { "Cancel" } }
                @if ended { " " button name="verb" value="delete" { "Delete" } }
            }
        }
    }
}

pub(super) async fn steer(State(app): State<Arc<App>>, Path(id): Path, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let message = Some(form.get("message").to_owned()).filter(|words| !words.is_empty());
    let steer = match form.get("verb") {
        "resume" => Steer::Resume { message, restart: false },
        "restart" => Steer::Resume { message, restart: true },
        "cancel" => Steer::Cancel { message },
        "suspend" => Steer::Suspend,
        "delete" => {
            let gone = visitor.client(&app).delete_job(&id).await?;
            return Ok(deleted(&visitor, &gone));
        }
        _ => return Err(PageError::new(422, "invalid", "the form does not say what to do")),
    };
    let job = visitor.client(&app).steer_job(&id, steer).await?;
    Ok(see_other(&format!("/jobs/{}", job.id)))
}

/// Redirects to the list; if something stays behind, shows that first.
fn deleted(visitor: &Visitor, gone: &DeletedJob) -> Response {
    if gone.worktrees.is_empty() && gone.branches.is_empty() {
        return see_other("/jobs");
    }
    let main = html! {
        article .card {
            h1 { "Job " (gone.deleted) " is gone" }
            @for left in leftovers(gone) {
                p { (left.why) ": " code { (left.place) } }
                p { "To remove " (left.what) ": " code { (left.remove) } }
            }
            p .back { a href="/jobs" { "← All jobs" } }
        }
    };
    let page = Page { title: "Deleted", nav: NavItem::Jobs, visitor: Some(visitor), seq: None };
    page.send(StatusCode::OK, &main)
}

fn tag(job: &Job) -> Markup {
    let class = match job.status {
        JobStatus::Waiting => "tag st-pending",
        JobStatus::Failed | JobStatus::Cancelled => "tag bad",
        _ => "tag",
    };
    html! { span class=(class) { (job.standing()) } }
}
