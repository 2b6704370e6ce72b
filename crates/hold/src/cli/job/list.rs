//! `hold job list`

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Job, Status};
use holdpoint_engine::store::JobQuery;
use holdpoint_engine::{Client, Role};

use crate::api::{job_statuses, shown_job};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::table;
use crate::cli::ui::Ui;

/// List jobs, newest first
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Limit to this status: open (not ended), active, all, or names separated by commas
    #[arg(long, default_value = "open")]
    status: String,
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 50)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let query = JobQuery {
        project: arguments.project,
        statuses: job_statuses(&arguments.status)?,
        limit: arguments.limit.clamp(1, 1000),
        ..JobQuery::default()
    };
    let jobs = client.jobs(&query).await?;
    if arguments.json {
        let all: Vec<_> = jobs.iter().map(shown_job).collect();
        ui.json(&all)?;
    } else if jobs.is_empty() {
        let ended = " See those that have ended: hold job list --status all";
        ui.note(format!("No jobs.{}", if arguments.status == "all" { "" } else { ended }));
        unsupervised(client.as_ref(), context, ui).await?;
    } else {
        let mut rows = Vec::with_capacity(jobs.len());
        for job in &jobs {
            rows.push(vec![
                job.id.clone(),
                inert_line(&job.project),
                named(job),
                job.standing().to_owned(),
                inert_line(&job.step),
                ui.spoken(&waits_for(client.as_ref(), job).await).into_owned(),
            ]);
        }
        let head = ["JOB", "PROJECT", "NAME", "STATUS", "STEP", "WAITS FOR"];
        ui.line(table::render(&head, rows))?;
        if jobs.iter().any(|job| job.status.is_active()) {
            unsupervised(client.as_ref(), context, ui).await?;
        }
    }
    Ok(Exit::Done)
}

/// Warns if no server supervises the jobs: then they stand still and ask nothing.
pub(crate) async fn unsupervised(client: &dyn Client, context: &Context, ui: &mut Ui) -> Result<(), Failure> {
    // A named store may be served by another machine; the default one is served from its own folder.
    let served = context.has_server() || (context.has_named_store() && client.is_supervised().await?);
    if !served {
        ui.note("No server runs, so nobody supervises jobs. Start one: hold serve");
    }
    Ok(())
}

/// Returns a job's name, with the attempt if it is not the first.
fn named(job: &Job) -> String {
    let attempt = job.again.as_ref().map(|again| format!(" (attempt {})", again.attempt));
    format!("{}{}", inert_line(&job.name), attempt.unwrap_or_default())
}

/// Returns whether the out was chosen that leaves the job as it is.
pub(super) fn is_dismissed(decision: &Decision) -> bool {
    decision.answer.as_ref().is_some_and(|answer| answer.out.as_deref() == Some("dismiss"))
}

/// Returns what a job waits for; if that is settled and the job still stands, that it must be resumed.
async fn waits_for(client: &dyn Client, job: &Job) -> String {
    let mut all = Vec::new();
    for id in job.awaited() {
        let settled = client.get(&id.to_string()).await.ok().filter(|one| one.status != Status::Pending);
        all.push(match settled {
            Some(one) if is_dismissed(&one) => format!("hold job resume {} ({id} was dismissed)", job.id),
            Some(_) => format!("hold job resume {} ({id} is settled)", job.id),
            None => id.to_string(),
        });
    }
    all.join(", ")
}
