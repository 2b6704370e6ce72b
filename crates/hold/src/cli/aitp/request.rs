//! `hold aitp request`

use holdpoint_engine::Role;
use holdpoint_protocols::aitp::translate::{self, DecisionRequest};

use super::say_left_out;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Print a decision as a request to a party that speaks AITP
///
/// Reports on standard error what AITP cannot express. Pass the reply to `hold aitp answer`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let decision = client.get(&arguments.id).await?;
    let DecisionRequest { message, left_out } = translate::to_request(&decision).map_err(|why| {
        Failure::error(format!("AITP cannot carry {}: {}", decision.id, translate::lines(&why)))
    })?;
    say_left_out(&left_out, ui);
    ui.json(&message.to_value()?)?;
    Ok(Exit::Done)
}
