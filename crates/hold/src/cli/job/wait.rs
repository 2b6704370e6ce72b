//! `hold job wait`

use std::time::Duration;

use holdpoint_core::{JobStatus, Span};
use holdpoint_engine::Role;

use crate::api::{job_statuses, shown_job};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Hold until a job has ended
///
/// Exits 0 if it is done, 6 if it ended otherwise, 5 on timeout.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The job: its id, an unambiguous prefix, or its name
    pub(super) id: String,
    /// Give up after this long
    #[arg(long)]
    timeout: Option<Span>,
    /// Also exit when it has this status, e.g. waiting
    #[arg(long, value_name = "STATUS")]
    until: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    const LONGEST: Duration = Duration::from_secs(20);
    let client = context.client(Role::Reader).await?;
    let until = arguments.until.as_deref().map(job_statuses).transpose()?.unwrap_or_default();
    let timeout = arguments.timeout.map(|span| Duration::from_millis(span.as_millis().unsigned_abs()));
    let start = tokio::time::Instant::now();
    loop {
        let after = client.head().await?;
        let job = client.job(&arguments.id).await?;
        let there = until.contains(&job.status);
        let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
        let gave_up = left.is_some_and(|left| left.is_zero());
        if there || gave_up || !job.status.is_active() {
            if arguments.json {
                ui.json(&shown_job(&job))?;
            } else {
                ui.line(job.status.name())?;
            }
            return Ok(match job.status {
                _ if there => Exit::Done,
                JobStatus::Done => Exit::Done,
                JobStatus::Failed | JobStatus::Cancelled | JobStatus::Suspended => Exit::NoAnswer,
                JobStatus::Pending | JobStatus::Running | JobStatus::Waiting => Exit::StillPending,
            });
        }
        let hold = left.unwrap_or(LONGEST).min(LONGEST);
        client.events(after, None, Some(&job.project), hold).await?;
    }
}
