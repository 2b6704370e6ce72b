//! `hold notify`

use std::sync::Arc;

use holdpoint_engine::auth::door;
use holdpoint_engine::{Client, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::desktop;

/// Show what waits for you as notices of this desktop, until Ctrl-C
///
/// A notice changes when its decision is settled. Its buttons decline, or answer a question without a subject; what takes
/// consent opens in the browser.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only those of this project
    #[arg(long)]
    project: Option<String>,
    /// Who you are
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let me = arguments.by.clone().unwrap_or_else(|| context.user().to_owned());
    let context = context.acting_as(arguments.by)?;
    let client: Arc<dyn Client> = context.client_through(Role::Writer, door::DESKTOP).await?.into();
    let screen = desktop::open().await.map_err(|why| {
        Failure::error(why).hint("notices are shown by gdbus or notify-send, or by osascript on macOS")
    })?;
    let inbox = context.address();
    desktop::follow(client, screen, &me, arguments.project, inbox, &mut |words| ui.note(words)).await?;
    Ok(Exit::Done)
}
