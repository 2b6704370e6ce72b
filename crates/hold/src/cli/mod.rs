//! The command line: one file per verb. Data goes to standard output, everything else to standard error.

mod absence;
mod acp;
mod aitp;
mod answer;
mod answer_many;
mod ask;
mod audit;
mod auth;
mod bd;
mod cancel;
mod channel;
mod check;
pub(crate) mod choice;
mod completions;
mod consume;
mod context;
mod diagnostics;
mod doctor;
mod early_keys;
mod escalation;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod fill;
mod find_server;
mod form;
mod group;
mod groups;
mod holding;
mod hook;
mod inbox;
mod init;
pub(crate) mod input;
mod item;
mod job;
mod key;
mod list;
mod log;
mod man;
mod mcp;
mod next;
mod notify;
mod oj;
mod outbox;
mod owner;
mod parse;
mod people_flags;
mod person;
mod policy;
mod project;
mod prune;
mod read_before_consent;
mod receipt;
mod revise;
mod rule;
mod run;
mod serve;
mod session_host;
pub(crate) mod show;
pub(crate) mod shown_digests;
mod snooze;
mod spinner;
mod stats;
mod store;
mod table;
mod take;
mod token;
pub(crate) mod ui;
mod verdict_outcome;
mod view;
mod wait;
mod witness;

use std::pin::Pin;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use context::Context;
use failure::{Exit, Failure};
use ui::Ui;

/// Hold points for AI agents: an agent asks and holds; a person answers; the agent is woken
#[derive(Debug, Parser)]
#[command(
    name = "hold",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Ask(ask::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    #[command(visible_alias = "vote")]
    Answer(answer::Arguments),
    Wait(wait::Arguments),
    Revise(revise::Arguments),
    Cancel(cancel::Arguments),
    Take(take::Arguments),
    Snooze(snooze::Arguments),
    Stats(stats::Arguments),
    #[command(visible_alias = "review")]
    Next(next::Arguments),
    Inbox(inbox::Arguments),
    Notify(notify::Arguments),
    Log(log::Arguments),
    Check(check::Arguments),
    Consume(consume::Arguments),
    Receipt(receipt::Arguments),
    Audit(audit::Arguments),
    Key(key::Arguments),
    Item(item::Arguments),
    Job(job::Arguments),
    Project(project::Arguments),
    Rule(rule::Arguments),
    Policy(policy::Arguments),
    Group(group::Arguments),
    Absence(absence::Arguments),
    Escalation(escalation::Arguments),
    View(view::Arguments),
    Run(run::Arguments),
    Form(form::Arguments),
    Channel(channel::Arguments),
    Outbox(outbox::Arguments),
    Token(token::Arguments),
    Person(person::Arguments),
    Auth(auth::Arguments),
    Prune(prune::Arguments),
    Doctor(doctor::Arguments),
    Store(store::Arguments),
    Init(init::Arguments),
    Witness(witness::Arguments),
    Serve(serve::Arguments),
    Mcp(mcp::Arguments),
    Acp(acp::Arguments),
    Hook(hook::Arguments),
    Bd(bd::Arguments),
    Oj(oj::Arguments),
    Aitp(aitp::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command line.
pub(crate) fn main() -> ExitCode {
    if let Some(exit) = session_host::run_if_asked(std::env::args_os()) {
        return exit;
    }
    let verb = match parse::parse(std::env::args_os()) {
        Ok(verb) => verb,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let mut ui = Ui::new();
    match run(verb, &mut ui) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            ui.failure(&failure);
            failure.exit.into()
        }
    }
}

fn run(verb: Verb, ui: &mut Ui) -> Result<Exit, Failure> {
    match verb {
        Verb::Completions(arguments) => return completions::run(&arguments, ui),
        Verb::Man(arguments) => return man::run(&arguments, ui),
        _ => {}
    }
    let context = Context::from_environment()?;
    // A single thread starts fastest; a server uses all cores.
    let mut runtime = match verb {
        Verb::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    // On an interrupt, other commands end the running git call; a server shuts down in order.
    if !matches!(verb, Verb::Serve(_)) {
        holdpoint_engine::git::handle_interrupts();
    }
    let runtime =
        runtime.enable_all().build().map_err(|why| Failure::error(format!("cannot start: {why}")))?;
    runtime.block_on(carry_out(verb, &context, ui))
}

/// A running command. Boxed, so that each is compiled once and not for every runtime and caller.
type Running<'a> = Pin<Box<dyn Future<Output = Result<Exit, Failure>> + 'a>>;

fn carry_out<'a>(verb: Verb, context: &'a Context, ui: &'a mut Ui) -> Running<'a> {
    match verb {
        Verb::Ask(arguments) => Box::pin(ask::run(arguments, context, ui)),
        Verb::List(arguments) => Box::pin(list::run(arguments, context, ui)),
        Verb::Show(arguments) => Box::pin(show::run(arguments, context, ui)),
        Verb::Answer(arguments) => Box::pin(answer::run(arguments, context, ui)),
        Verb::Wait(arguments) => Box::pin(wait::run(arguments, context, ui)),
        Verb::Revise(arguments) => Box::pin(revise::run(arguments, context, ui)),
        Verb::Cancel(arguments) => Box::pin(cancel::run(arguments, context, ui)),
        Verb::Take(arguments) => Box::pin(take::run(arguments, context, ui)),
        Verb::Stats(arguments) => Box::pin(stats::run(arguments, context, ui)),
        Verb::Snooze(arguments) => Box::pin(snooze::run(arguments, context, ui)),
        Verb::Next(arguments) => Box::pin(next::run(arguments, context, ui)),
        Verb::Inbox(arguments) => Box::pin(inbox::run(arguments, context, ui)),
        Verb::Notify(arguments) => Box::pin(notify::run(arguments, context, ui)),
        Verb::Log(arguments) => Box::pin(log::run(arguments, context, ui)),
        Verb::Check(arguments) => Box::pin(check::run(arguments, context, ui)),
        Verb::Consume(arguments) => Box::pin(consume::run(arguments, context, ui)),
        Verb::Receipt(arguments) => Box::pin(receipt::run(arguments, context, ui)),
        Verb::Audit(arguments) => Box::pin(audit::run(arguments, context, ui)),
        Verb::Key(arguments) => Box::pin(key::run(arguments, context, ui)),
        Verb::Item(arguments) => Box::pin(item::run(arguments, context, ui)),
        Verb::Job(arguments) => Box::pin(job::run(arguments, context, ui)),
        Verb::Rule(arguments) => Box::pin(rule::run(arguments, context, ui)),
        Verb::Policy(arguments) => Box::pin(policy::run(arguments, context, ui)),
        Verb::Group(arguments) => Box::pin(group::run(arguments, context, ui)),
        Verb::Absence(arguments) => Box::pin(absence::run(arguments, context, ui)),
        Verb::Escalation(arguments) => Box::pin(escalation::run(arguments, context, ui)),
        Verb::View(arguments) => Box::pin(view::run(arguments, context, ui)),
        Verb::Project(arguments) => Box::pin(project::run(arguments, context, ui)),
        Verb::Run(arguments) => Box::pin(run::run(arguments, context, ui)),
        Verb::Form(arguments) => Box::pin(async move { form::run(&arguments, context, ui).await }),
        Verb::Channel(arguments) => Box::pin(channel::run(arguments, context, ui)),
        Verb::Outbox(arguments) => Box::pin(outbox::run(arguments, context, ui)),
        Verb::Token(arguments) => Box::pin(token::run(arguments, context, ui)),
        Verb::Person(arguments) => Box::pin(person::run(arguments, context, ui)),
        Verb::Auth(arguments) => Box::pin(auth::run(arguments, context, ui)),
        Verb::Prune(arguments) => Box::pin(prune::run(arguments, context, ui)),
        Verb::Doctor(arguments) => Box::pin(doctor::run(arguments, context, ui)),
        Verb::Store(arguments) => Box::pin(store::run(arguments, context, ui)),
        Verb::Witness(arguments) => Box::pin(witness::run(arguments, context, ui)),
        Verb::Serve(arguments) => Box::pin(serve::run(arguments, context, ui)),
        Verb::Mcp(arguments) => Box::pin(mcp::run(arguments, context, ui)),
        Verb::Acp(arguments) => Box::pin(acp::run(arguments, context, ui)),
        Verb::Hook(arguments) => Box::pin(hook::run(arguments, context, ui)),
        Verb::Init(arguments) => Box::pin(init::run(arguments, context, ui)),
        Verb::Bd(arguments) => Box::pin(bd::run(arguments, context, ui)),
        Verb::Oj(arguments) => Box::pin(oj::run(arguments, context, ui)),
        Verb::Aitp(arguments) => Box::pin(aitp::run(arguments, context, ui)),
        Verb::Completions(_) | Verb::Man(_) => Box::pin(std::future::ready(Ok(Exit::Done))),
    }
}

/// Returns the whole command tree, for completions and the manual.
fn command() -> clap::Command {
    Arguments::command()
}
