//! `hold aitp thread delete`

use holdpoint_engine::Role;

use super::whole;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Delete a thread, its messages and its decisions
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The thread
    id: String,
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let id = whole(&arguments.id);
    context.client(Role::Writer).await?.delete_thread(&id).await?;
    ui.note(format!("{id} is gone."));
    Ok(Exit::Done)
}
