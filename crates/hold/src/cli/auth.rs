//! `hold auth`

use holdpoint_engine::Role;
use serde_json::json;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Let only a server that checks credentials write to the store
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Require a server: commands that open the store directly can read, but not write
    On,
    /// Let commands on this machine write to the store directly again
    Off,
    /// Show whether a server is required
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::On => {
            context.client(Role::Writer).await?.set_auth(true).await?;
            ui.line("Authentication is on: only a server writes to this store")?;
        }
        Verb::Off => {
            context.client(Role::Writer).await?.set_auth(false).await?;
            ui.line("Authentication is off: anyone who can open this store can write to it")?;
        }
        Verb::Status { json } => {
            let required = context.client(Role::Reader).await?.auth_required().await?;
            if json {
                ui.json(&json!({ "required": required }))?;
            } else {
                ui.line(if required { "on" } else { "off" })?;
            }
        }
    }
    Ok(Exit::Done)
}
