//! `hold job`

mod attach;
mod check;
mod list;
mod logs;
mod show;
mod start;
mod steer;
mod wait;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Supervised agents that work in steps, and ask when they cannot continue alone
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Start(start::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Logs(logs::Arguments),
    Attach(attach::Arguments),
    Resume(steer::Resume),
    Cancel(steer::Cancel),
    Suspend(steer::Named),
    Delete(steer::Deleted),
    Wait(wait::Arguments),
    Check(check::Arguments),
}

impl Arguments {
    /// Prints JSON where the verb can.
    pub(crate) fn print_json(&mut self) {
        match &mut self.verb {
            Verb::Start(verb) => verb.json = true,
            Verb::List(verb) => verb.json = true,
            Verb::Show(verb) => verb.json = true,
            Verb::Resume(verb) => verb.json = true,
            Verb::Cancel(verb) => verb.named.json = true,
            Verb::Suspend(verb) => verb.json = true,
            Verb::Wait(verb) => verb.json = true,
            Verb::Logs(_) | Verb::Attach(_) | Verb::Delete(_) | Verb::Check(_) => {}
        }
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Start(arguments) => start::run(arguments, context, ui).await,
        Verb::List(arguments) => list::run(arguments, context, ui).await,
        Verb::Show(arguments) => show::run(arguments, context, ui).await,
        Verb::Logs(arguments) => logs::run(arguments, context, ui).await,
        Verb::Attach(arguments) => attach::run(arguments, context, ui).await,
        Verb::Resume(arguments) => steer::resume(arguments, context, ui).await,
        Verb::Cancel(arguments) => steer::cancel(arguments, context, ui).await,
        Verb::Suspend(arguments) => steer::suspend(arguments, context, ui).await,
        Verb::Delete(arguments) => steer::delete(arguments, context, ui).await,
        Verb::Wait(arguments) => wait::run(arguments, context, ui).await,
        Verb::Check(arguments) => check::run(&arguments, ui),
    }
}
