//! `hold job list`

use holdpoint_core::Job;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use holdpoint_engine::store::JobQuery;

use crate::api::{job_statuses, shown_job};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::table;
use crate::cli::ui::Ui;

/// List jobs, newest first
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only those that stand so: active, all, or names with commas
    #[arg(long, default_value = "active")]
    status: String,
    /// Only those of this project
    #[arg(long)]
    project: Option<String>,
    /// At most how many
    #[arg(long, default_value_t = 50)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
        ui.note("No jobs. See those that have ended: hold job list --status all");
    } else {
        let row = |job: &Job| {
            vec![
                job.id.clone(),
                inert_line(&job.project),
                inert_line(&job.name),
                job.standing().to_owned(),
                inert_line(&job.step),
                waits_for(job),
            ]
        };
        let head = ["JOB", "PROJECT", "NAME", "STATUS", "STEP", "WAITS FOR"];
        ui.line(table::render(&head, jobs.iter().map(row).collect()))?;
    }
    Ok(Exit::Done)
}

fn waits_for(job: &Job) -> String {
    let all: Vec<String> = job.awaited().map(|id| id.to_string()).collect();
    all.join(", ")
}
