//! `hold outbox`

use holdpoint_core::text::inert_line;
use holdpoint_engine::{Client, Role, Undelivered};
use holdpoint_store::OutboxState;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// List and resend undelivered notices
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List undelivered notices, oldest first
    List {
        /// Limit to those given up
        #[arg(long, conflicts_with = "queued")]
        dead: bool,
        /// Limit to those still queued
        #[arg(long)]
        queued: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Send a notice again, retrying for an hour
    Resend {
        /// The notice's number, from hold outbox list
        #[arg(required_unless_present = "all")]
        id: Option<i64>,
        /// Send everything that was given up
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}

/// The maximum number of notices read.
const LIMIT: usize = 1000;

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::List { dead, queued, json } => {
            let state = match (dead, queued) {
                (true, _) => Some(OutboxState::Dead),
                (_, true) => Some(OutboxState::Queued),
                _ => None,
            };
            let listed = context.client(Role::Reader).await?.outbox(state, LIMIT).await?;
            if json {
                ui.json(&listed)?;
            } else if listed.is_empty() {
                ui.note("Nothing is undelivered.");
            } else {
                let header = ["ID", "STATE", "LANE", "TO", "DECISION", "TRIES", "WHY"];
                ui.line(table::render(&header, listed.iter().map(row).collect()))?;
            }
        }
        Verb::Resend { id, all: _ } => {
            let client = context.client(Role::Writer).await?;
            let ids = match id {
                Some(id) => vec![id],
                None => dead(client.as_ref()).await?,
            };
            for id in &ids {
                client.resend(*id).await?;
            }
            ui.line(format!("{} to be sent again", ids.len()))?;
            for failure in client.finish().await {
                ui.warn(failure);
            }
        }
    }
    Ok(Exit::Done)
}

async fn dead(client: &dyn Client) -> Result<Vec<i64>, Failure> {
    let dead = client.outbox(Some(OutboxState::Dead), LIMIT).await?;
    Ok(dead.iter().map(|one| one.entry.id).collect())
}

fn row(one: &Undelivered) -> Vec<String> {
    let entry = &one.entry;
    let decision = entry.decision.map(|id| id.to_string()).unwrap_or_default();
    vec![
        entry.id.to_string(),
        one.state.name().into(),
        entry.lane.name().into(),
        inert_line(&entry.target),
        decision,
        entry.attempts.to_string(),
        entry.held.as_deref().or(entry.last_error.as_deref()).map(inert_line).unwrap_or_default(),
    ]
}
