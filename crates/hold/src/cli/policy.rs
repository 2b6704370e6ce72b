//! `hold policy`

use holdpoint_core::Source;
use holdpoint_core::people::{MatchedAsks, NewPolicy, Policy};
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;

use super::context::Context;
use super::demanded::Demanded;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// What a project demands of its decisions: several people, or a signed-in person
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Demand something of the decisions that match; an ask may demand more, never less
    Add(Add),
    /// List policies
    List {
        /// Only of this project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a policy; what was asked under it keeps its needs
    Remove {
        /// The policy's id, or a unique start of it
        id: String,
    },
}

#[derive(Debug, clap::Args)]
struct Add {
    /// In which project
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Decisions of this source: approval, plan or question
    #[arg(long, value_parser = source)]
    source: Option<Source>,
    /// Decisions about this tool
    #[arg(long)]
    tool: Option<String>,
    /// What the holder of this credential asks
    #[arg(long, value_name = "NAME")]
    asked_by: Option<String>,
    #[command(flatten)]
    people: Demanded,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn source(text: &str) -> Result<Source, String> {
    Source::from_name(text).ok_or_else(|| "must be approval, plan or question".to_owned())
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Add(add) => {
            let (needs, needs_person) = add.people.read();
            let when = MatchedAsks { source: add.source, tool: add.tool, asked_by: add.asked_by };
            let project = Some(context.project(add.project.as_deref()));
            let new = NewPolicy { project, when, needs, needs_person };
            let policy = context.client(Role::Writer).await?.add_policy(new).await?;
            if add.json {
                ui.json(&policy)?;
            } else {
                ui.line(format!("{}: {}", policy.id, words(&policy)))?;
            }
        }
        Verb::List { project, json } => {
            let policies = context.client(Role::Reader).await?.policies(project.as_deref()).await?;
            if json {
                ui.json(&policies)?;
            } else if policies.is_empty() {
                ui.note("There are no policies: one person who may answer is enough.");
            } else {
                let row = |policy: &Policy| {
                    vec![
                        policy.id.clone(),
                        inert_line(&policy.project),
                        words(policy),
                        inert_line(&policy.by),
                    ]
                };
                let rows = policies.iter().map(row).collect();
                ui.line(table::render(&["ID", "PROJECT", "DEMANDS", "BY"], rows))?;
            }
        }
        Verb::Remove { id } => {
            let policy = context.client(Role::Writer).await?.remove_policy(&id).await?;
            ui.line(format!("Removed {}", policy.id))?;
        }
    }
    Ok(Exit::Done)
}

/// Says what a policy demands, in a line.
fn words(policy: &Policy) -> String {
    let MatchedAsks { source, tool, asked_by } = &policy.when;
    let mut when = source.map_or("every ask".to_owned(), |source| format!("every {}", source.name()));
    if let Some(tool) = tool {
        when = format!("{when} about {tool}");
    }
    if let Some(name) = asked_by {
        when = format!("{when} by {name}");
    }
    let mut demands = Vec::new();
    if let Some(needs) = &policy.needs {
        demands.push(needs.to_string());
    }
    if policy.needs_person {
        demands.push("a signed-in person".into());
    }
    inert_line(&format!("{when} takes {}", demands.join(", ")))
}
