//! `hold policy`

use holdpoint_core::people::{MatchedAsks, NewPolicy, Policy};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Source, Span};
use holdpoint_engine::{Role, Simulation, SimulationInput};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::people_flags::{PeopleArgs, RequiredPeople};
use super::table;
use super::ui::Ui;

/// Manage policies: demands on decisions, and escalation while nobody answers
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add demands for matching decisions; a caller can demand more, never less
    Add(Add),
    /// List policies
    List {
        /// Limit to this project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what other rules and policies would have done to recent decisions; changes nothing
    Simulate {
        /// How far to look back
        #[arg(long, value_name = "DURATION", default_value = "30d")]
        since: Span,
        /// A file with `[[rule]]` and `[[policy]]` tables to add to the current ones, or - for standard input
        #[arg(long, value_name = "FILE")]
        with: Option<String>,
        /// The project
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a policy; decisions made under it keep its demands
    Remove {
        /// The policy: its id or an unambiguous prefix
        id: String,
    },
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The project
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Match decisions of this source: approval, plan or question
    #[arg(long, value_parser = source)]
    source: Option<Source>,
    /// Match decisions about this tool
    #[arg(long)]
    tool: Option<String>,
    /// Match decisions asked with this credential
    #[arg(long, value_name = "NAME")]
    asked_by: Option<String>,
    #[command(flatten)]
    people: PeopleArgs,
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
            let RequiredPeople { needs, needs_person, escalation } = add.people.read();
            let when = MatchedAsks { source: add.source, tool: add.tool, asked_by: add.asked_by };
            let project = Some(context.project(add.project.as_deref()));
            let new = NewPolicy { project, when, needs, needs_person, escalation };
            let policy = context.client(Role::Writer).await?.add_policy(new).await?;
            if add.json {
                ui.json(&policy)?;
            } else {
                ui.line(format!("{}: {}", policy.id, describe_policy(&policy)))?;
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
                        describe_policy(policy),
                        inert_line(&policy.by),
                    ]
                };
                let rows = policies.iter().map(row).collect();
                ui.line(table::render(&["ID", "PROJECT", "DEMANDS", "BY"], rows))?;
            }
        }
        Verb::Simulate { since, with, project, json } => {
            let mut input = match with {
                Some(file) => read(&file)?,
                None => SimulationInput::default(),
            };
            input.since = Some(since);
            input.project = Some(context.project(project.as_deref().or(input.project.as_deref())));
            let found = context.client(Role::Reader).await?.simulate(input).await?;
            if json {
                ui.json(&found)?;
            } else {
                ui.line(simulated(&found))?;
            }
        }
        Verb::Remove { id } => {
            let policy = context.client(Role::Writer).await?.remove_policy(&id).await?;
            ui.line(format!("Removed {}", policy.id))?;
        }
    }
    Ok(Exit::Done)
}

/// Describes a policy's demands in a line.
fn describe_policy(policy: &Policy) -> String {
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
    let steps = policy.escalation.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    inert_line(&match (demands.is_empty(), steps.is_empty()) {
        (false, true) => format!("{when} takes {}", demands.join(", ")),
        (false, false) => format!("{when} takes {}; {steps}", demands.join(", ")),
        (true, _) => format!("{when}: {steps}"),
    })
}

fn read(file: &str) -> Result<SimulationInput, Failure> {
    let text = super::input::text(file)?;
    SimulationInput::from_toml(&text).map_err(|why| Failure::error(format!("{file}: {}", inert_line(&why))))
}

/// Describes what would have happened, totals first.
fn simulated(found: &Simulation) -> String {
    let Simulation { tried, by_rules, contradicted, same, waiting, refused, told, items } = found;
    let mut lines = vec![format!(
        "Of {tried} asks: {by_rules} answered by rules ({contradicted} of them otherwise than a person did), {same} settled as \
         they were, {waiting} still waiting, {refused} not asked so; {told} times somebody told."
    )];
    for ask in items {
        lines.push(format!("\n{}  {}", ask.id, inert_line(&ask.summary)));
        lines.push(format!("  was:   {}", ask.outcome));
        lines.push(format!("  would: {}", ask.would_be));
        lines.extend(ask.told.iter().map(|told| format!("  told:  {told}")));
    }
    lines.join("\n")
}
