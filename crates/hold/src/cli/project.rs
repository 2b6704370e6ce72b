//! `hold project`

use holdpoint_core::run::Judge;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Project, ProjectChange, Span};
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Manage projects and their settings
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
        #[arg(long, value_name = "DURATION", required_unless_present = "verdicts")]
        min_timeout: Option<Span>,
        /// Who besides a person may give the verdict on a run: auto, agent, both separated by a comma, or ask for
        /// nobody
        #[arg(long, value_name = "WHO", value_delimiter = ',', value_parser = ["ask", "auto", "agent"])]
        verdicts: Option<Vec<String>>,
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
                let rows = projects.iter().map(|project| {
                    vec![inert_line(&project.name), project.min_timeout.to_string(), judges(project)]
                });
                ui.line(table::render(&["PROJECT", "MIN TIMEOUT", "VERDICTS"], rows.collect()))?;
            }
        }
        Verb::Set { name, min_timeout, verdicts, json } => {
            let verdicts =
                verdicts.map(|names| names.iter().filter_map(|name| Judge::from_name(name)).collect());
            let change = ProjectChange { min_timeout, verdicts };
            let project = context.client(Role::Writer).await?.update_project(&name, change).await?;
            if json {
                ui.json(&project)?;
            } else {
                ui.line(format!(
                    "{}: min_timeout {}, verdicts {}",
                    inert_line(&project.name),
                    project.min_timeout,
                    judges(&project)
                ))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Describes who gives verdicts besides a person, who always may.
fn judges(project: &Project) -> String {
    let names = project.verdicts.iter().map(|judge| judge.name());
    std::iter::once("ask").chain(names).collect::<Vec<_>>().join(",")
}
