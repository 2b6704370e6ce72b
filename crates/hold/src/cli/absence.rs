//! `hold absence`

use holdpoint_core::people::{Absence, NewAbsence};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Span, Timestamp};
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;

/// Manage absences: who is away, until when, and who stands in
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add an absence, replacing an earlier one for the same project
    Add(Add),
    /// List current and future absences
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End an absence
    End {
        /// The person
        person: String,
        /// The project of the absence
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
struct Add {
    /// The person who is away
    person: String,
    /// The person who stands in
    #[arg(long, value_name = "WHO")]
    stand_in: String,
    /// How long
    #[arg(long = "for", value_name = "SPAN", required_unless_present = "until")]
    span: Option<Span>,
    /// Until when, instead of how long
    #[arg(long, value_name = "TIME", conflicts_with = "span")]
    until: Option<Timestamp>,
    /// When it begins; now by default
    #[arg(long, value_name = "TIME")]
    from: Option<Timestamp>,
    /// Limit to this project
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Add(add) => {
            let client = context.client(Role::Writer).await?;
            let from = match add.from {
                Some(from) => from,
                None => client.now().await?,
            };
            let until = add.until.or_else(|| from.checked_add(add.span.unwrap_or_default()));
            let new = NewAbsence { stand_in: add.stand_in, from: add.from, until, project: add.project };
            let absence = client.add_absence(&add.person, new).await?;
            if add.json {
                ui.json(&absence)?;
            } else {
                ui.line(line(&absence))?;
            }
        }
        Verb::List { json } => {
            let absences = context.client(Role::Reader).await?.absences().await?;
            if json {
                ui.json(&absences)?;
            } else if absences.is_empty() {
                ui.note("Nobody is away: hold absence add ana --stand-in ben --for 14d");
            } else {
                let row = |absence: &Absence| {
                    vec![
                        inert_line(&absence.person),
                        inert_line(&absence.stand_in),
                        absence.from.to_string(),
                        absence.until.to_string(),
                        inert_line(absence.project.as_deref().unwrap_or("all")),
                    ]
                };
                let rows = absences.iter().map(row).collect();
                ui.line(table::render(&["AWAY", "STAND-IN", "FROM", "UNTIL", "PROJECT"], rows))?;
            }
        }
        Verb::End { person, project } => {
            context.client(Role::Writer).await?.end_absence(&person, project.as_deref()).await?;
            ui.line(format!("{} is back", inert_line(&person)))?;
        }
    }
    Ok(Exit::Done)
}

fn line(absence: &Absence) -> String {
    let place = absence.project.as_ref().map(|project| format!(" in {project}")).unwrap_or_default();
    let Absence { person, stand_in, until, .. } = absence;
    inert_line(&format!("{person} is away until {until}{place}; {stand_in} stands in"))
}
