//! `hold aitp reply`

use holdpoint_engine::Role;

use super::print_reply;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::holding;
use crate::cli::ui::Ui;

/// Print the reply to a decision's request
///
/// Prints plain words if AITP has no message for the outcome, such as a no or a timeout. The exit code tells the
/// outcome, as with `hold wait`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let decision = client.get(&arguments.id).await?;
    print_reply(&decision, client.now().await?, ui)?;
    Ok(holding::exit(&decision, &[]))
}
