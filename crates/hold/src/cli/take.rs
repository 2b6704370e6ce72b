//! `hold take`

use holdpoint_core::decision::Attention;
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Take a decision, so that others see that you are on it
///
/// Others see it for 30 minutes. It does not keep them from answering.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// Release it again
    #[arg(long)]
    release: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id).await?;
    let attention = if arguments.release { Attention::Release } else { Attention::Take };
    let decision = client.attend(decision.id, attention).await?;
    match &decision.taken {
        _ if arguments.json => ui.json(&decision)?,
        Some(taken) => {
            let until = taken.until.to_string();
            ui.line(format!("You are on it until {} UTC", until.get(11..16).unwrap_or(&until)))?;
        }
        None => ui.line(format!("Nobody is on {}", decision.id))?,
    }
    Ok(Exit::Done)
}
