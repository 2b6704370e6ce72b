//! `hold escalation`

use holdpoint_core::text::inert_line;
use holdpoint_engine::{EscalationEntry, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Show who is notified, reminded or assigned while nobody answers
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show a decision's past and coming steps
    Show {
        /// The decision: its id or an unambiguous prefix
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Verb::Show { id, json } = arguments.verb;
    let shown = context.client(Role::Reader).await?.escalation(&id).await?;
    if json {
        ui.json(&shown)?;
        return Ok(Exit::Done);
    }
    if shown.items.is_empty() {
        ui.note("No escalation is set; add one with hold policy add --escalate, or hold ask --escalate");
        return Ok(Exit::Done);
    }
    let row = |entry: &EscalationEntry| {
        let people = if entry.people.is_empty() { "-".into() } else { entry.people.join(", ") };
        vec![
            entry.at.to_string(),
            if entry.done { "done".into() } else { "ahead".into() },
            inert_line(&entry.what),
            inert_line(&people),
        ]
    };
    ui.line(table::render(&["AT", "", "WHAT", "WHO"], shown.items.iter().map(row).collect()))?;
    if let Some(until) = shown.paused_until {
        ui.note(format!("Somebody is on it: nothing happens until {until}."));
    }
    if let Some(deadline) = shown.deadline {
        ui.note(format!("The deadline ends it: {deadline}."));
    }
    Ok(Exit::Done)
}
