//! `hold oj status`: what is running, and what waits for a person.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Job, JobStatus, Status};
use holdpoint_engine::store::JobQuery;
use holdpoint_engine::{Client, Role};
use serde_json::json;

use super::{Output, escalation};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::table;
use crate::cli::ui::Ui;

pub(super) async fn run(
    project: Option<&str>,
    output: Output,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let statuses = JobStatus::ALL.into_iter();
    let statuses = statuses.filter(|status| status.is_active() || *status == JobStatus::Suspended).collect();
    let query =
        JobQuery { project: project.map(str::to_owned), statuses, limit: 1_000, ..JobQuery::default() };
    let jobs = client.jobs(&query).await?;
    let pending = escalation::pending(&*client, project).await?;
    let mut awaited = Vec::with_capacity(jobs.len());
    for job in &jobs {
        awaited.push(awaited_by(&*client, job, &pending).await);
    }
    if output == Output::Json {
        let job = |(job, awaited): (&Job, &Vec<Decision>)| {
            let waiting_for = awaited.first().filter(|first| job.waiting_for == Some(first.id));
            json!({
                "id": job.id, "name": job.name, "project": job.project, "status": job.standing(),
                "step": job.step, "waiting_for": job.waiting_for,
                "source": waiting_for.map(|one| one.source),
                "dismissed": waiting_for.is_some_and(|one| one.status != Status::Pending),
            })
        };
        let jobs: Vec<_> = jobs.iter().zip(&awaited).map(job).collect();
        ui.json(&json!({ "server": context.address(), "jobs": jobs, "decisions_pending": pending.len() }))?;
        return Ok(Exit::Done);
    }
    ui.line(header(context.address().as_deref(), &jobs, pending.len()))?;
    if !jobs.is_empty() {
        let row = |(job, awaited): (&Job, &Vec<Decision>)| {
            let asked: Vec<String> =
                awaited.iter().map(|one| ui.spoken(&waits_for(job, one)).into_owned()).collect();
            let (name, step) = (inert_line(&job.name), inert_line(&job.step));
            vec![job.id.clone(), name, job.standing().to_owned(), step, asked.join(", ")]
        };
        let rows = jobs.iter().zip(&awaited).map(row).collect();
        ui.line(table::render(&["JOB", "NAME", "STATUS", "STEP", "WAITS FOR"], rows))?;
    }
    Ok(Exit::Done)
}

/// Returns the decisions that a job waits for, including dismissed ones.
async fn awaited_by(client: &dyn Client, job: &Job, pending: &[Decision]) -> Vec<Decision> {
    let mut all = Vec::new();
    for id in job.awaited() {
        match pending.iter().find(|one| one.id == id) {
            Some(decision) => all.push(decision.clone()),
            None => all.extend(client.get(&id.to_string()).await.ok()),
        }
    }
    all
}

/// Describes what a job waits for; once that is dismissed, the job stands still until it is resumed.
fn waits_for(job: &Job, decision: &Decision) -> String {
    let (source, id) = (decision.source.name(), decision.id);
    match decision.status {
        Status::Pending => format!("{source} ({id})"),
        _ => format!("hold job resume {} ({source} {id} was dismissed)", job.id),
    }
}

/// Returns a line with the server that supervises, the number of jobs, and the number of pending decisions.
fn header(server: Option<&str>, jobs: &[Job], pending: usize) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let server = server.map_or_else(
        || "No server runs, so nobody supervises jobs; start one: hold serve".to_owned(),
        |address| format!("Server at {address}"),
    );
    let mut parts = vec![server, counted(jobs.len(), "job")];
    if pending > 0 {
        parts.push(format!("{} pending", counted(pending, "decision")));
    }
    parts.join(" | ")
}
