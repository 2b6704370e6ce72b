//! `hold item`

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Item, Owner, OwnerKind};
use holdpoint_engine::{Client, ListQuery, Role};
use holdpoint_protocols::beads;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;
use crate::view_model::owners::OwnerNames;
use crate::view_model::{decision_point, wording};

/// Manage work items that decisions are attached to
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List work items; one is blocked while a decision on it is pending
    List {
        /// Limit to this project
        #[arg(long)]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a work item, and the decisions on it and below it
    Show {
        /// The item
        id: String,
        /// The project
        #[arg(long)]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a work item
    Add {
        /// The item
        id: String,
        /// The title
        #[arg(long)]
        title: Option<String>,
        /// The project
        #[arg(long)]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete a work item and every decision on it
    Delete {
        /// The item
        id: String,
        /// The project
        #[arg(long)]
        project: Option<String>,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::List { project, json } => {
            let client = context.client(Role::Reader).await?;
            let items = client.items(project.as_deref()).await?;
            if json {
                ui.json(&items)?;
            } else if items.is_empty() {
                ui.note("There are no work items.");
            } else {
                let row = |item: &Item| {
                    let title = item.title.as_deref().map(inert_line).unwrap_or_default();
                    let status = if item.pending > 0 { "blocked" } else { "open" };
                    vec![
                        inert_line(&item.id),
                        inert_line(&item.project),
                        status.into(),
                        item.pending.to_string(),
                        title,
                    ]
                };
                ui.line(table::render(
                    &["ITEM", "PROJECT", "STATUS", "PENDING", "TITLE"],
                    items.iter().map(row).collect(),
                ))?;
            }
        }
        Verb::Show { id, project, json } => {
            let client = context.client(Role::Reader).await?;
            let project = context.project(project.as_deref());
            let item = find(&*client, &project, &id).await?;
            let query = ListQuery {
                project: Some(project),
                owner: Some(Owner::new(OwnerKind::Item, &id)),
                limit: 1000,
                ..ListQuery::default()
            };
            let mut decisions = client.list(&query).await?.items;
            for below in below(&*client, &item).await? {
                let owner = Some(Owner::new(OwnerKind::Item, below));
                decisions.extend(client.list(&ListQuery { owner, ..query.clone() }).await?.items);
            }
            let blocking = decision_point::blocking(&*client, &item.project, &item.id).await?;
            let known = |one: &Decision| decisions.iter().any(|other| other.id == one.id);
            let blocking: Vec<Decision> = blocking.into_iter().filter(|one| !known(one)).collect();
            decisions.extend(blocking);
            if json {
                let mut value = serde_json::to_value(&item)?;
                value["decisions"] = serde_json::to_value(&decisions)?;
                ui.json(&value)?;
            } else {
                let status = if item.pending > 0 { "blocked" } else { "open" };
                let title = item.title.as_deref().map(inert_line).unwrap_or_default();
                ui.line(format!("{}  {status}  {title}", inert_line(&item.id)))?;
                let names = OwnerNames::of(&*client, &decisions).await;
                for decision in &decisions {
                    let summary = wording::short(decision.summary(), 80);
                    let of = names.name(decision).map(|name| format!(" (job {})", inert_line(name)));
                    let (id, status, of) = (decision.id, decision.status, of.unwrap_or_default());
                    ui.line(format!("  {id}  {status}  {summary}{of}"))?;
                }
            }
        }
        Verb::Add { id, title, project, json } => {
            let client = context.client(Role::Writer).await?;
            let item = client.create_item(&context.project(project.as_deref()), &id, title).await?;
            if json {
                ui.json(&item)?;
            } else {
                ui.line(format!("Added {}", inert_line(&item.id)))?;
            }
        }
        Verb::Delete { id, project } => {
            let client = context.client(Role::Writer).await?;
            let removed = client.delete_item(&context.project(project.as_deref()), &id).await?;
            let s = if removed == 1 { "" } else { "s" };
            ui.line(format!("Deleted {} and {removed} decision{s} on it", inert_line(&id)))?;
        }
    }
    Ok(Exit::Done)
}

/// Lists the items that were created below another to ask there.
async fn below(client: &dyn Client, item: &Item) -> Result<Vec<String>, Failure> {
    let all = client.items(Some(&item.project)).await?.into_iter().map(|item| item.id);
    Ok(all.filter(|id| beads::parent(id) == Some(&item.id)).collect())
}

async fn find(client: &dyn Client, project: &str, id: &str) -> Result<Item, Failure> {
    let items = client.items(Some(project)).await?;
    let missing =
        || Failure::new(Exit::NotFound, format!("item {:?} was not found in {project}", inert_line(id)));
    items.into_iter().find(|item| item.id == id).ok_or_else(missing)
}
