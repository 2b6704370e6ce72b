//! `hold oj status`: what is running, and what waits for a person.

use std::collections::HashMap;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Job, JobStatus};
use holdpoint_engine::Role;
use holdpoint_engine::store::JobQuery;
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
    if output == Output::Json {
        let decisions: HashMap<DecisionId, &Decision> = pending.iter().map(|one| (one.id, one)).collect();
        let job = |job: &Job| {
            let source = job.waiting_for.and_then(|id| decisions.get(&id)).map(|one| one.source);
            json!({
                "id": job.id, "name": job.name, "project": job.project, "status": job.standing(),
                "step": job.step, "waiting_for": job.waiting_for, "source": source,
            })
        };
        let jobs: Vec<_> = jobs.iter().map(job).collect();
        ui.json(&json!({ "server": context.address(), "jobs": jobs, "decisions_pending": pending.len() }))?;
        return Ok(Exit::Done);
    }
    ui.line(header(context.address().as_deref(), &jobs, pending.len()))?;
    if !jobs.is_empty() {
        let row = |job: &Job| {
            let asked = pending.iter().filter(|one| job.awaited().any(|id| id == one.id));
            let asked: Vec<String> = asked.map(|one| format!("{} ({})", one.source.name(), one.id)).collect();
            let (name, step) = (inert_line(&job.name), inert_line(&job.step));
            vec![job.id.clone(), name, job.standing().to_owned(), step, asked.join(", ")]
        };
        ui.line(table::render(
            &["JOB", "NAME", "STATUS", "STEP", "WAITS FOR"],
            jobs.iter().map(row).collect(),
        ))?;
    }
    Ok(Exit::Done)
}

/// Says in one line who supervises, how many jobs there are, and how many decisions wait.
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
