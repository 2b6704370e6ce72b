//! `hold cancel`

use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Cancel a pending decision
///
/// A process that holds on it exits with code 6.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// The reason
    #[arg(long)]
    reason: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id).await?;
    let cancelled = client.cancel(decision.id, arguments.reason).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    let cancelled = cancelled?;
    if arguments.json {
        ui.json(&cancelled)?;
    } else {
        ui.line(format!("Cancelled {}", cancelled.id))?;
    }
    Ok(Exit::Done)
}
