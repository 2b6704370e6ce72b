//! `hold job show`

use std::cmp::Reverse;

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Job, JobStatus, Status};
use holdpoint_engine::jobs::owner_of;
use holdpoint_engine::{Client, ListQuery, Role};

use super::list::{is_dismissed, unsupervised};
use crate::api::shown_job;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::view_model::run::{run_name, standing};
use crate::view_model::wording;

/// Show a job: its status, steps, decisions and terminal
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let job = client.job(&arguments.id).await?;
    let decisions = decisions(&*client, &job).await?;
    // If the run cannot be read, it is left out.
    let run = client.job_run(&job.id).await.ok().flatten();
    // The verdict is asked on the run, but is a question of the job all the same.
    let verdict = match run.as_ref().and_then(|run| run.decision) {
        Some(id) => client.get(&id.to_string()).await.ok(),
        None => None,
    };
    if arguments.json {
        let mut value = shown_job(&job);
        value["decisions"] = serde_json::to_value(&decisions)?;
        value["verdict"] = serde_json::to_value(&verdict)?;
        ui.json(&value)?;
        return Ok(Exit::Done);
    }
    let mut lines = head(&job);
    if let Some(run) = &run {
        lines.push(format!("Run:      {}  {}", run_name(run.id), standing(run)));
    }
    lines.extend(next_steps(&*client, &job).await?.iter().map(|line| ui.spoken(line).into_owned()));
    if !job.history.is_empty() {
        lines.push(String::new());
        lines.push("Steps:".into());
    }
    for visit in &job.history {
        let outcome = visit.outcome.as_deref().unwrap_or("running");
        let detail =
            visit.detail.as_deref().map(|detail| format!("  {}", inert_line(detail))).unwrap_or_default();
        lines.push(format!("  {}  {}  {outcome}{detail}", visit.started_at, inert_line(&visit.step)));
    }
    if verdict.is_some() || !decisions.is_empty() {
        lines.push(String::new());
        lines.push("Decisions:".into());
    }
    for decision in verdict.iter().chain(&decisions) {
        let first = decision.summary().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let summary = wording::short(first, 70);
        lines.push(format!("  {}  {}  {}  {summary}", decision.id, decision.source.name(), decision.status));
    }
    if let Ok(screen) = client.job_screen(&job.id).await {
        let rows: Vec<String> = screen.text.rows.iter().map(|row| inert(row)).collect();
        let end = rows.iter().rposition(|row| !row.trim().is_empty()).map_or(0, |last| last + 1);
        if end > 0 {
            lines.push(String::new());
            lines.push("Terminal:".into());
            lines.extend(rows[end.saturating_sub(15)..end].iter().map(|row| format!("  | {row}")));
        }
    }
    for line in lines {
        ui.line(line)?;
    }
    if job.status.is_active() {
        unsupervised(&*client, context, ui).await?;
    }
    Ok(Exit::Done)
}

/// How many decisions are shown.
const SHOWN: usize = 20;

/// Returns the questions of the job and of its agents, newest first.
async fn decisions(client: &dyn Client, job: &Job) -> Result<Vec<Decision>, Failure> {
    let query = ListQuery {
        project: Some(job.project.clone()),
        newest_first: true,
        limit: SHOWN,
        ..ListQuery::default()
    };
    let own = ListQuery { owner: Some(owner_of(job)), ..query.clone() };
    let by_agents = ListQuery { requested_by: Some(job.id.clone()), ..query };
    let mut found = client.list(&own).await?.items;
    let others = client.list(&by_agents).await?.items;
    // A run's verdict is also asked in the job's name, and is shown separately.
    found.extend(others.into_iter().filter(|one| one.owner.is_none()));
    found.sort_by_key(|one| Reverse((one.created_at, one.id)));
    found.truncate(SHOWN);
    Ok(found)
}

fn head(job: &Job) -> Vec<String> {
    let mut lines = vec![
        format!("Job:      {}  {}", job.id, inert_line(&job.name)),
        format!("Project:  {}", inert_line(&job.project)),
        format!("Status:   {} in step {}", job.standing(), inert_line(&job.step)),
        format!("Runs in:  {}", inert_line(&job.cwd)),
    ];
    lines.extend(job.account_note().map(|note| format!("Account:  {note}")));
    lines.extend(job.item.as_ref().map(|item| format!("Item:     {}", inert_line(item))));
    lines.extend(job.node.as_ref().map(|node| format!("Node:     {}", inert_line(node))));
    lines.extend(job.error.as_ref().map(|error| format!("Because:  {}", inert_line(error))));
    if let Some(again) = &job.again {
        let run = run_name(again.run);
        lines.push(format!("Tries:    {} again, attempt {}, as run {run}", again.job, again.attempt));
        lines.extend(again.guidance.as_ref().map(|words| format!("Guidance: {}", inert_line(words))));
        lines.extend(again.parameters.as_ref().map(|words| format!("With:     {}", inert_line(words))));
    }
    lines.extend(job.next.as_ref().map(|next| format!("Then:     tried again as {next}")));
    lines
}

/// Describes how a job that waits, failed or was suspended can go on.
async fn next_steps(client: &dyn Client, job: &Job) -> Result<Vec<String>, Failure> {
    let id = &job.id;
    if matches!(job.status, JobStatus::Failed | JobStatus::Suspended) && job.next.is_none() {
        return Ok(vec![format!("Goes on:  hold job resume {id}")]);
    }
    let mut lines = Vec::new();
    for decision in job.awaited() {
        let one = client.get(&decision.to_string()).await;
        lines.push(match one {
            Ok(one) if one.status == Status::Pending => {
                format!("Waits:    for {decision}; see it: hold show {decision}")
            }
            Ok(one) if is_dismissed(&one) => format!(
                "Waits:    {decision} was dismissed; continue with: hold job resume {id}, or hold job cancel {id}"
            ),
            _ => format!(
                "Waits:    {decision} was settled without a next step; choose one: hold job resume {id}, or hold job cancel {id}"
            ),
        });
    }
    Ok(lines)
}
