//! The command line: one file per verb. Data goes to standard output, all else to standard error.

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
mod carried;
mod channel;
mod check;
pub(crate) mod choice;
mod completions;
mod consume;
mod context;
mod demanded;
mod doctor;
mod early_keys;
mod escalation;
mod failure;
mod files;
pub(crate) mod fill;
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
mod oj;
mod outbox;
mod parse;
mod person;
mod policy;
mod project;
mod prune;
mod reading;
mod receipt;
mod review;
mod revise;
mod rule;
mod run;
pub(crate) mod seen;
mod serve;
mod session_host;
pub(crate) mod show;
mod snooze;
mod stats;
mod store;
mod table;
mod take;
mod token;
mod ui;
mod wait;
mod witness;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use context::Context;
use failure::Exit;
pub(crate) use failure::Failure;
pub(crate) use ui::{Ui, is_interactive};

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
    Review(review::Arguments),
    Inbox(inbox::Arguments),
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

/// Runs the command line to its end.
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
    // One thread starts fastest; a server uses all there are.
    let mut runtime = match verb {
        Verb::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    // A server stops by itself when it is interrupted, and lets go of what it does.
    if !matches!(verb, Verb::Serve(_)) {
        holdpoint_engine::git::heed_interrupts();
    }
    let runtime =
        runtime.enable_all().build().map_err(|why| Failure::error(format!("cannot start: {why}")))?;
    runtime.block_on(async {
        match verb {
            Verb::Ask(arguments) => ask::run(arguments, &context, ui).await,
            Verb::List(arguments) => list::run(arguments, &context, ui).await,
            Verb::Show(arguments) => show::run(arguments, &context, ui).await,
            Verb::Answer(arguments) => answer::run(arguments, &context, ui).await,
            Verb::Wait(arguments) => wait::run(arguments, &context, ui).await,
            Verb::Revise(arguments) => revise::run(arguments, &context, ui).await,
            Verb::Cancel(arguments) => cancel::run(arguments, &context, ui).await,
            Verb::Take(arguments) => take::run(arguments, &context, ui).await,
            Verb::Stats(arguments) => stats::run(arguments, &context, ui).await,
            Verb::Snooze(arguments) => snooze::run(arguments, &context, ui).await,
            Verb::Review(arguments) => review::run(arguments, &context, ui).await,
            Verb::Inbox(arguments) => inbox::run(arguments, &context, ui).await,
            Verb::Log(arguments) => log::run(arguments, &context, ui).await,
            Verb::Check(arguments) => check::run(arguments, &context, ui).await,
            Verb::Consume(arguments) => consume::run(arguments, &context, ui).await,
            Verb::Receipt(arguments) => receipt::run(arguments, &context, ui).await,
            Verb::Audit(arguments) => audit::run(arguments, &context, ui).await,
            Verb::Key(arguments) => key::run(arguments, &context, ui).await,
            Verb::Item(arguments) => item::run(arguments, &context, ui).await,
            Verb::Job(arguments) => job::run(arguments, &context, ui).await,
            Verb::Rule(arguments) => rule::run(arguments, &context, ui).await,
            Verb::Policy(arguments) => policy::run(arguments, &context, ui).await,
            Verb::Group(arguments) => group::run(arguments, &context, ui).await,
            Verb::Absence(arguments) => absence::run(arguments, &context, ui).await,
            Verb::Escalation(arguments) => escalation::run(arguments, &context, ui).await,
            Verb::Project(arguments) => project::run(arguments, &context, ui).await,
            Verb::Run(arguments) => run::run(arguments, &context, ui).await,
            Verb::Form(arguments) => form::run(&arguments, &context, ui).await,
            Verb::Channel(arguments) => channel::run(arguments, &context, ui).await,
            Verb::Outbox(arguments) => outbox::run(arguments, &context, ui).await,
            Verb::Token(arguments) => token::run(arguments, &context, ui).await,
            Verb::Person(arguments) => person::run(arguments, &context, ui).await,
            Verb::Auth(arguments) => auth::run(arguments, &context, ui).await,
            Verb::Prune(arguments) => prune::run(arguments, &context, ui).await,
            Verb::Doctor(arguments) => doctor::run(arguments, &context, ui).await,
            Verb::Store(arguments) => store::run(arguments, &context, ui).await,
            Verb::Witness(arguments) => witness::run(arguments, &context, ui).await,
            Verb::Serve(arguments) => serve::run(arguments, &context, ui).await,
            Verb::Mcp(arguments) => mcp::run(arguments, &context, ui).await,
            Verb::Acp(arguments) => acp::run(arguments, &context, ui).await,
            Verb::Hook(arguments) => hook::run(arguments, &context, ui).await,
            Verb::Init(arguments) => init::run(arguments, &context, ui).await,
            Verb::Bd(arguments) => Box::pin(bd::run(arguments, &context, ui)).await,
            Verb::Oj(arguments) => Box::pin(oj::run(arguments, &context, ui)).await,
            Verb::Aitp(arguments) => aitp::run(arguments, &context, ui).await,
            Verb::Completions(_) | Verb::Man(_) => Ok(Exit::Done),
        }
    })
}

/// Returns the whole command tree, for completions and the manual.
fn command() -> clap::Command {
    Arguments::command()
}
