//! `hold show`

mod card;
mod how;

use holdpoint_engine::Role;

pub(crate) use card::{body, card_named};

use super::context::Context;
use super::early_keys::one_key;
use super::failure::{Exit, Failure};
use super::files::Files;
use super::shown_digests::{self, Stream};
use super::ui::{self, Ui};
use crate::view_model::owners::OwnerNames;
use crate::view_model::read_before_consent::longer_than;
use crate::view_model::{change, verdict_commit};

/// Show one decision in full
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let decision = client.get(&arguments.id).await?;
    let names = OwnerNames::of(&*client, std::slice::from_ref(&decision)).await;
    if arguments.json {
        ui.json(&names.named(&decision))?;
        shown_digests::shown(&decision, None, Stream::Out, &context.home);
    } else {
        let now = client.now().await?;
        let diff = change::read(&*client, &decision).await;
        let card = card_named(&decision, names.name(&decision), diff.as_deref(), now);
        ui.line(&card)?;
        if let Some(words) = verdict_commit::commit_of(&*client, &decision).await {
            ui.line(format!("\n{words}"))?;
        }
        for evidence in change::found_later(&*client, &decision).await {
            ui.line(format!("\nFound after the verdict: {evidence}"))?;
        }
        turn_files(&card, diff.as_deref(), ui)?;
        shown_digests::shown(&decision, diff.as_deref(), Stream::Out, &context.home);
    }
    Ok(Exit::Done)
}

/// Shows a change longer than the screen file by file, until the person leaves. Other keys do nothing, so that a
/// command that was typed ahead does not reach the shell without its first letter.
fn turn_files(card: &str, diff: Option<&str>, ui: &mut Ui) -> Result<(), Failure> {
    let mut files = Files::of(diff);
    let is_read_here = ui::is_interactive() && ui::width().is_some();
    if files.is_empty() || !is_read_here || longer_than(card, crossterm::terminal::size()?).is_none() {
        return Ok(());
    }
    while let Some(typed) = one_key("(] next file, [ previous file, q quits) ", ui)? {
        if !files.turn(&typed, ui) && matches!(typed.as_str(), "" | "q") {
            break;
        }
    }
    Ok(())
}
