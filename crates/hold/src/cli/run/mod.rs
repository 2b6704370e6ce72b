//! `hold run`: attempts at a task on a repository, and the verdict that ends each.

mod end;
mod make;
mod show;

use std::path::PathBuf;

use holdpoint_core::{Run, RunStatus};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::git::Repo;
use holdpoint_engine::{Engine, Role};
use holdpoint_store::{Order, RunQuery};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Attempts at a task on a git repository, and the verdict that ends each
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Start(make::Start),
    Patch(make::Patch),
    Evidence(make::Evidence),
    Usage(make::Usage),
    Finish(make::Finish),
    List(show::List),
    Show(show::Show),
    Log(show::Log),
    Carry(end::Carry),
    Resume(end::Resume),
    Rollback(end::Rollback),
    Export(end::Export),
}

/// Which run is meant, and how to print.
#[derive(Debug, clap::Args)]
struct Meant {
    /// The run: its id, or the start or end of it; the only one under way here if not given
    #[arg(long, env = "HOLD_RUN", value_name = "RUN")]
    run: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let role = match &arguments.verb {
        Verb::List(_) | Verb::Show(_) | Verb::Log(_) => Role::Reader,
        _ => Role::Writer,
    };
    // A run works on a repository of this machine, so it is looked after where the store is.
    let engine = context.own_store("run", role).await?;
    let desk = Desk { caller: Caller::claimed(context.user(), "cli"), engine };
    match arguments.verb {
        Verb::Start(verb) => make::start(verb, &desk, context, ui).await,
        Verb::Patch(verb) => make::patch(verb, &desk, ui).await,
        Verb::Evidence(verb) => make::evidence(verb, &desk, ui).await,
        Verb::Usage(verb) => make::usage(&verb, &desk, ui).await,
        Verb::Finish(verb) => make::finish(verb, &desk, ui).await,
        Verb::List(verb) => show::list(verb, &desk, ui).await,
        Verb::Show(verb) => show::show(&verb, &desk, ui).await,
        Verb::Log(verb) => show::log(&verb, &desk, ui).await,
        Verb::Carry(verb) => end::carry(&verb, &desk, ui).await,
        Verb::Resume(verb) => end::resume(&verb, &desk, ui).await,
        Verb::Rollback(verb) => end::rollback(&verb, &desk, ui).await,
        Verb::Export(verb) => end::export(&verb, &desk, ui).await,
    }
}

/// Who works, and on what.
struct Desk {
    engine: Engine,
    caller: Caller,
}

impl Desk {
    /// Finds the run that is meant.
    async fn meant(&self, named: Option<&str>) -> Result<Run, Failure> {
        if let Some(named) = named {
            return Ok(self.engine.find_run(named).await?);
        }
        let here = Repo::open(&PathBuf::from(".")).await.map_err(holdpoint_engine::Error::from)?;
        let here = here.folder().to_string_lossy().into_owned();
        let query = RunQuery { order: Order::NewestFirst, limit: 1_000, ..RunQuery::default() };
        let runs = self.engine.store().runs(&query).await.map_err(holdpoint_engine::Error::from)?;
        let mut running = runs.into_iter().filter(|run| run.status == RunStatus::Running && run.repo == here);
        match (running.next(), running.next()) {
            (Some(run), None) => Ok(run),
            (None, _) => Err(Failure::new(Exit::NotFound, "no run is under way in this repository")
                .hint("begin one: hold run start --task …, or name one with --run")),
            (Some(_), Some(_)) => {
                Err(Failure::new(Exit::NotFound, "several runs are under way in this repository")
                    .hint("name one with --run or HOLD_RUN; hold run list shows them"))
            }
        }
    }

    /// Carries out the verdicts that wait.
    async fn carry(&self, ui: &mut Ui) {
        match self.engine.carry_out_verdicts().await {
            Ok(words) => words.iter().for_each(|word| ui.warn(word)),
            Err(error) => ui.warn(error.to_string()),
        }
    }

    /// Tells whoever is to be told of what was asked.
    async fn tell(&self, ui: &mut Ui) {
        match self.engine.run_hooks().await {
            Ok(failures) => failures.iter().for_each(|failure| ui.warn(failure)),
            Err(error) => ui.warn(error.to_string()),
        }
    }
}
