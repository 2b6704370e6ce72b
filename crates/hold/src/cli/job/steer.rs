//! `hold job resume`, `cancel`, `suspend` and `delete`

use holdpoint_core::JobStatus;
use holdpoint_engine::Role;
use holdpoint_engine::jobs::Steer;
use holdpoint_engine::store::JobQuery;

use crate::api::shown_job;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::view_model::leftovers::leftovers;

/// Resume a job that waits, failed or was suspended
#[derive(Debug, clap::Args)]
pub(crate) struct Resume {
    /// The job: its id, an unambiguous prefix, or its name
    #[arg(required_unless_present = "all")]
    pub(super) id: Option<String>,
    /// Resume all that wait for a person or were suspended
    #[arg(long, conflicts_with = "id")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// A message to the agent
    #[arg(short, long, allow_hyphen_values = true)]
    message: Option<String>,
    /// Restart its step, whatever is running
    #[arg(long)]
    restart: bool,
    /// Only those of this project, where all are meant.
    #[arg(skip)]
    pub(super) within: Option<String>,
}

/// Cancel a job, and end its processes
#[derive(Debug, clap::Args)]
pub(crate) struct Cancel {
    #[command(flatten)]
    pub(super) named: Named,
    /// The reason
    #[arg(short, long, allow_hyphen_values = true)]
    message: Option<String>,
}

/// Suspend a job, and end its processes; resume continues it
#[derive(Debug, clap::Args)]
pub(crate) struct Named {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Delete a job that has ended, and all its decisions
#[derive(Debug, clap::Args)]
pub(crate) struct Deleted {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
}

pub(crate) async fn resume(arguments: Resume, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Resume { id, all, json, message, restart, within } = arguments;
    let resume = Steer::Resume { message, restart };
    let Some(id) = id.filter(|_| !all) else { return resume_all(&resume, within, json, context, ui).await };
    steer(Named { id, json }, resume, context, ui).await
}

/// Resumes all jobs that wait for a person or were suspended.
async fn resume_all(
    resume: &Steer,
    project: Option<String>,
    json: bool,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let statuses = vec![JobStatus::Waiting, JobStatus::Suspended];
    let query = JobQuery { project, statuses, limit: 1_000, ..JobQuery::default() };
    let jobs = context.client(Role::Reader).await?.jobs(&query).await?;
    if jobs.is_empty() {
        ui.note("No job is waiting or suspended.");
    }
    let mut exit = Exit::Done;
    for job in jobs {
        // A job that cannot be resumed does not keep the others from it.
        if let Err(failure) = steer(Named { id: job.id, json }, resume.clone(), context, ui).await {
            ui.failure(&failure);
            exit = failure.exit;
        }
    }
    Ok(exit)
}

pub(crate) async fn cancel(arguments: Cancel, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    steer(arguments.named, Steer::Cancel { message: arguments.message }, context, ui).await
}

pub(crate) async fn suspend(arguments: Named, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    steer(arguments, Steer::Suspend, context, ui).await
}

pub(crate) async fn delete(arguments: Deleted, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let gone = context.client(Role::Writer).await?.delete_job(&arguments.id).await?;
    ui.line(format!("Deleted {}", holdpoint_core::text::inert_line(&gone.deleted)))?;
    for left in leftovers(&gone) {
        ui.note(format!("{}: {}\nTo remove {}: {}", left.why, left.place, left.what, left.remove));
    }
    Ok(Exit::Done)
}

async fn steer(named: Named, steer: Steer, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let job = client.steer_job(&named.id, steer).await?;
    if named.json {
        ui.json(&shown_job(&job))?;
    } else {
        ui.line(format!("{}  {}", job.id, job.standing()))?;
    }
    if job.status.is_active() && !context.has_server() {
        ui.note("No server is running to do this; start one: hold serve");
    }
    Ok(Exit::Done)
}
