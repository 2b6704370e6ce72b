//! `hold stats`

use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::table;
use super::ui::Ui;
use crate::view_model::insights::{self, Line, span};

/// Show how long agents waited for people
///
/// Shows times to answer by project, source, agent and person, who is waiting now, what timed out, and what rules
/// and identical questions saved.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of days: 7, 30 or 90
    #[arg(long, default_value_t = 7, value_parser = days)]
    days: u16,
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn days(text: &str) -> Result<u16, String> {
    let known = text.parse().ok().filter(|days| insights::DAYS.contains(days));
    known.ok_or_else(|| "use 7, 30 or 90 days".to_owned())
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let found = insights::read(&*client, arguments.project, arguments.days).await?;
    if arguments.json {
        ui.json(&found)?;
        return Ok(Exit::Done);
    }
    ui.line(format!(
        "Last {} days: {} answered (median {}, 95th {}), {} timed out, {} by rules, {} as duplicates. Time blocked: {}.",
        found.days,
        found.answered,
        span(found.median_ms),
        span(found.p95_ms),
        found.timed_out,
        found.by_rules,
        found.by_same,
        span(found.blocked_ms),
    ))?;
    for (what, lines) in [
        ("PERSON", &found.people),
        ("AGENT", &found.agents),
        ("PROJECT", &found.projects),
        ("SOURCE", &found.sources),
    ] {
        if !lines.is_empty() {
            ui.line(format!("\n{}", by(what, lines)))?;
        }
    }
    if !found.blocked.is_empty() {
        let row =
            |one: &insights::Blocked| vec![one.agent.clone(), one.waiting.to_string(), span(one.longest_ms)];
        let rows = found.blocked.iter().map(row).collect();
        ui.line(format!("\n{}", table::render(&["BLOCKED NOW", "ASKED", "LONGEST"], rows)))?;
    }
    if found.more {
        ui.note("Only the latest decisions are counted.");
    }
    Ok(Exit::Done)
}

fn by(what: &str, lines: &[Line]) -> String {
    let row = |line: &Line| {
        vec![line.name.clone(), line.answered.to_string(), span(line.median_ms), span(line.p95_ms)]
    };
    table::render(&[what, "ANSWERED", "MEDIAN", "P95"], lines.iter().map(row).collect())
}
