//! `hold aitp`: messages between agents of different parties.

mod answer;
mod ask;
mod commented;
mod reply;
mod request;
mod thread;
mod validate;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Timestamp};
use holdpoint_protocols::aitp::translate::{self, Reply};
use holdpoint_protocols::aitp::{Finding, Message, ParsedMessage, Verdict};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::input;
use super::ui::Ui;

/// Exchange AITP messages between agents of different parties
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Validate(validate::Arguments),
    Ask(ask::Arguments),
    Reply(reply::Arguments),
    Request(request::Arguments),
    Answer(answer::Arguments),
    Thread(thread::Arguments),
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Validate(arguments) => validate::run(&arguments, ui),
        Verb::Ask(arguments) => ask::run(arguments, context, ui).await,
        Verb::Reply(arguments) => reply::run(&arguments, context, ui).await,
        Verb::Request(arguments) => request::run(&arguments, context, ui).await,
        Verb::Answer(arguments) => answer::run(arguments, context, ui).await,
        Verb::Thread(arguments) => thread::run(arguments, context, ui).await,
    }
}

/// Reads a message; prints warnings, and fails on errors.
fn message(path: &str, now: Timestamp, ui: &mut Ui) -> Result<ParsedMessage, Failure> {
    let mut text = input::text(path)?;
    if let Some((plain, line)) = commented::without_comments(&text) {
        ui.warn(format!("line {line} has a comment, which JSON does not allow; it is removed"));
        text = plain;
    }
    let read = Message::read(&text, now).map_err(|verdict| refused(&verdict))?;
    for remark in &read.remarks {
        ui.warn(line(remark));
    }
    Ok(read)
}

fn refused(verdict: &Verdict) -> Failure {
    Failure::error(translate::lines(&verdict.errors)).hint("see all that is wrong: hold aitp validate FILE")
}

/// Reads `NAME=ed25519:…`.
fn parse_key(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, key)| !name.is_empty() && key.starts_with("ed25519:"));
    pair.map(|(name, key)| (name.to_owned(), key.to_owned())).ok_or_else(|| "use NAME=ed25519:KEY".into())
}

fn line(finding: &Finding) -> String {
    translate::lines(std::slice::from_ref(finding))
}

/// Prints the reply to a request, and notes what it cannot carry of the answer.
fn print_reply(decision: &Decision, now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    match translate::reply(decision, now) {
        None => ui.note(format!("Still pending: {}. Resume with: hold wait {}", decision.id, decision.id)),
        Some(Reply::Text(text)) => {
            ui.note("AITP has no message for this; plain words are sent instead.");
            ui.line(inert_line(&text))?;
        }
        Some(Reply::Message(message, left_out)) => {
            say_left_out(&left_out, ui);
            ui.json(&message.to_value()?)?;
        }
    }
    Ok(())
}

fn say_left_out(left_out: &[String], ui: &mut Ui) {
    for what in left_out {
        ui.warn(format!("the message does not say {}", inert_line(what)));
    }
}
