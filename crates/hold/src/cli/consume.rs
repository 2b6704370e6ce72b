//! `hold consume`

use holdpoint_core::Auth;
use holdpoint_core::decision::Requirements;
use holdpoint_engine::Role;

use super::ask::parse_key;
use super::context::Context;
use super::failure::{Exit, Failure};
use super::input;
use super::ui::Ui;

/// Use an approval, once, for exactly what was approved
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// What you are about to do: a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    subject: String,
    /// Require at least this assurance of who answered: claimed, rule, local, link, channel, token or session
    #[arg(long, value_parser = parse_auth)]
    min: Option<Auth>,
    /// Make it repeatable after a crash: with the same key it counts as the same use
    #[arg(long, value_name = "IDEMPOTENCY", value_parser = parse_key)]
    key: Option<String>,
    /// Require an answer that says that the whole subject was seen
    #[arg(long)]
    seen: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn parse_auth(text: &str) -> Result<Auth, String> {
    let known = Auth::ALL.into_iter().find(|auth| auth.name() == text);
    known.ok_or_else(|| format!("use one of {}", Auth::ALL.map(Auth::name).join(", ")))
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id).await?;
    let subject = input::subject(&arguments.subject)?;
    let required = Requirements { min: arguments.min, seen: arguments.seen };
    let consumed = client.consume(decision.id, subject, required, arguments.key).await?.decision;
    if arguments.json {
        ui.json(&consumed)?;
    } else {
        ui.line(format!("Consumed {}", consumed.id))?;
    }
    Ok(Exit::Done)
}
