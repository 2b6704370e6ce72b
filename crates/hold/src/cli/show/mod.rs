//! `hold show`

mod card;

use holdpoint_engine::Role;

pub(crate) use card::{body, card, card_named};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::seen::{self, Stream};
use super::ui::Ui;
use crate::shown::change;
use crate::shown::owners::Names;

/// Show one decision in full
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id, or any part of its start that no other has
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let decision = client.get(&arguments.id).await?;
    let names = Names::of(&*client, std::slice::from_ref(&decision)).await;
    if arguments.json {
        ui.json(&names.named(&decision))?;
    } else {
        let now = client.now().await?;
        let diff = change::read(&*client, &decision).await;
        ui.line(card_named(&decision, names.name(&decision), diff.as_deref(), now))?;
        for evidence in change::found_later(&*client, &decision).await {
            ui.line(format!("\nFound after the verdict: {evidence}"))?;
        }
    }
    seen::shown(&decision, Stream::Out, &context.home);
    Ok(Exit::Done)
}
