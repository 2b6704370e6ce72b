//! `hold view`

use holdpoint_core::Status;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use holdpoint_engine::views::NewView;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Manage saved searches, for `hold list --view NAME` and the inbox
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Save a search under a name, replacing an earlier one
    Save {
        /// The name
        name: String,
        /// The search, as in `hold list`
        words: Vec<String>,
        /// The statuses, separated by commas, or all
        #[arg(long, default_value = "pending")]
        status: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List your views
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a view
    Remove {
        /// The name
        name: String,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Save { name, words, status, json } => {
            Status::read_several(&status).map_err(|why| Failure::usage(format!("--status: {why}")))?;
            let new = NewView { q: words.join(" "), status: Some(status) };
            let view = context.client(Role::Writer).await?.save_view(&name, new).await?;
            if json {
                ui.json(&view)?;
            } else {
                ui.line(inert_line(&format!("Saved {}: {} ({})", view.name, view.q, view.status)))?;
            }
        }
        Verb::List { json } => {
            let views = context.client(Role::Reader).await?.views().await?;
            if json {
                ui.json(&views)?;
            } else if views.is_empty() {
                ui.note("You have no views: hold view save deploys deploy project=web");
            } else {
                let rows = views
                    .iter()
                    .map(|view| [&view.name, &view.status, &view.q].map(|text| inert_line(text)).into());
                ui.line(table::render(&["NAME", "STATUS", "SEARCH"], rows.collect()))?;
            }
        }
        Verb::Remove { name } => {
            context.client(Role::Writer).await?.remove_view(&name).await?;
            ui.line(format!("Removed {}", inert_line(&name)))?;
        }
    }
    Ok(Exit::Done)
}
