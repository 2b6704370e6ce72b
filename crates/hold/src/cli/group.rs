//! `hold group`

use holdpoint_core::people::{Group, GroupChange};
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Manage groups of people, used as group:NAME
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add people to a group, and create it if needed
    Add {
        /// The group
        name: String,
        /// People, and other groups as group:NAME
        #[arg(required = true, value_name = "WHO")]
        members: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List groups
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove people from a group, or the whole group
    Remove {
        /// The group
        name: String,
        /// The people to remove; the whole group if none is given
        #[arg(value_name = "WHO")]
        members: Vec<String>,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Add { name, members, json } => {
            let change = GroupChange { add: members, ..GroupChange::default() };
            let group = context.client(Role::Writer).await?.change_group(&name, change).await?;
            if json {
                ui.json(&group)?;
            } else {
                ui.line(line(&group))?;
            }
        }
        Verb::List { json } => {
            let groups = context.client(Role::Reader).await?.groups().await?;
            if json {
                ui.json(&groups)?;
            } else if groups.is_empty() {
                ui.note("There are no groups yet: hold group add release ana ben");
            } else {
                let row =
                    |group: &Group| vec![inert_line(&group.name), inert_line(&group.members.join(", "))];
                ui.line(table::render(&["GROUP", "MEMBERS"], groups.iter().map(row).collect()))?;
                for group in &groups {
                    if let Some(problem) = &group.problem {
                        let (name, problem) = (inert_line(&group.name), inert_line(problem));
                        ui.note(format!(
                            "The command that fills group:{name} failed, and it stays as it was: {problem}"
                        ));
                    }
                }
            }
        }
        Verb::Remove { name, members } if members.is_empty() => {
            context.client(Role::Writer).await?.remove_group(&name).await?;
            ui.line(format!("Removed group {}", inert_line(&name)))?;
        }
        Verb::Remove { name, members } => {
            let change = GroupChange { remove: members, ..GroupChange::default() };
            let group = context.client(Role::Writer).await?.change_group(&name, change).await?;
            ui.line(line(&group))?;
        }
    }
    Ok(Exit::Done)
}

fn line(group: &Group) -> String {
    let members = if group.members.is_empty() { "nobody".to_owned() } else { group.members.join(", ") };
    inert_line(&format!("group:{}: {members}", group.name))
}
