//! `hold aitp thread`: messages between parties, and their outcome.

mod create;
mod delete;
mod follow;
mod list;
mod post;
mod show;

use std::fmt::Write as _;

use holdpoint_core::Timestamp;
use holdpoint_engine::thread::Message;
use holdpoint_protocols::aitp::thread::show as read;

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{FAINT, STRONG, Ui};

/// Manage threads, in which agents of different parties talk
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Create(create::Arguments),
    Show(show::Arguments),
    List(list::Arguments),
    Post(post::Arguments),
    Follow(follow::Arguments),
    Delete(delete::Arguments),
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Create(arguments) => create::run(arguments, context, ui).await,
        Verb::Show(arguments) => show::run(&arguments, context, ui).await,
        Verb::List(arguments) => list::run(&arguments, context, ui).await,
        Verb::Post(arguments) => post::run(arguments, context, ui).await,
        Verb::Follow(arguments) => follow::run(arguments, context, ui).await,
        Verb::Delete(arguments) => delete::run(&arguments, context, ui).await,
    }
}

/// Returns the full id, given with or without its prefix.
fn whole(typed: &str) -> String {
    if typed.starts_with("thr-") { typed.to_owned() } else { format!("thr-{typed}") }
}

/// Formats a message for people.
fn message_line(message: &Message, now: Timestamp) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}", message.sender());
    let at = Timestamp::from_millis(message.created_at.saturating_mul(1_000));
    let _ = write!(text, "  {FAINT}{at}  {}{FAINT:#}", message.id);
    for part in &message.content {
        let shown = read(part, now);
        for line in shown.title.iter().map(String::as_str).chain(shown.words.lines()) {
            let _ = write!(text, "\n  {line}");
        }
        for (fact, value) in shown.facts {
            let _ = write!(text, "\n    {FAINT}{fact}:{FAINT:#} {value}");
        }
    }
    for id in message.decisions() {
        let _ = write!(text, "\n  {FAINT}hold show {id}{FAINT:#}");
    }
    text
}
