//! `hold project`

use holdpoint_core::Span;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Projects and their settings
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List projects
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Change a project's settings
    Set {
        /// The project
        name: String,
        /// The shortest time after which an agent's default may be taken
        #[arg(long, value_name = "DURATION")]
        min_timeout: Span,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::List { json } => {
            let projects = context.client(Role::Reader).await?.projects().await?;
            if json {
                ui.json(&projects)?;
            } else if projects.is_empty() {
                ui.note("No project has a decision yet.");
            } else {
                let rows = projects
                    .iter()
                    .map(|project| vec![inert_line(&project.name), project.min_timeout.to_string()]);
                ui.line(table::render(&["PROJECT", "MIN TIMEOUT"], rows.collect()))?;
            }
        }
        Verb::Set { name, min_timeout, json } => {
            let project = context.client(Role::Writer).await?.update_project(&name, min_timeout).await?;
            if json {
                ui.json(&project)?;
            } else {
                ui.line(format!("{}: min_timeout {}", inert_line(&project.name), project.min_timeout))?;
            }
        }
    }
    Ok(Exit::Done)
}
