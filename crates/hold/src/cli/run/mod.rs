//! `hold run`: attempts at a task on a repository, and the verdict that ends each.

pub(crate) mod diff;
mod end;
mod keep;
mod make;
mod show;
mod wait;

use std::path::PathBuf;
use std::time::Duration;

use holdpoint_core::run::{ObjectId, Standing};
use holdpoint_core::{Run, RunStatus};
use holdpoint_engine::git::Repo;
use holdpoint_engine::run::ShownRun;
use holdpoint_engine::{Client, Role};
use holdpoint_store::{Order, RunQuery};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::view_model::run::run_name;

/// How long a server may take to carry out a verdict that nobody is asked for, and how often to check.
const TIMEOUT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(100);

/// Manage runs: attempts at a task on a git repository, each ended by a verdict
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
    Comment(keep::Comment),
    Finish(make::Finish),
    List(show::List),
    Show(show::Show),
    Log(show::Log),
    Wait(wait::Wait),
    Carry(end::Carry),
    Resume(end::Resume),
    Rollback(end::Rollback),
    Record(keep::Record),
    Objects(keep::Objects),
    Export(keep::Export),
    Import(keep::Import),
}

/// Which run is meant, and how to print.
#[derive(Debug, clap::Args)]
struct RunChoice {
    /// The run: its id, or a prefix or suffix of at least 4 characters; by default `HOLD_RUN` or the only one in
    /// progress here
    #[arg(long, env = "HOLD_RUN", value_name = "RUN")]
    run: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let role = match &arguments.verb {
        Verb::List(_) | Verb::Show(_) | Verb::Log(_) | Verb::Objects(_) => Role::Reader,
        _ => Role::Writer,
    };
    let runs = RunClient { client: context.client(role).await? };
    match arguments.verb {
        Verb::Start(verb) => make::start(verb, &runs, context, ui).await,
        Verb::Patch(verb) => make::patch(verb, &runs, ui).await,
        Verb::Evidence(verb) => make::evidence(verb, &runs, ui).await,
        Verb::Usage(verb) => make::usage(&verb, &runs, ui).await,
        Verb::Finish(verb) => make::finish(verb, &runs, ui).await,
        Verb::Comment(verb) => keep::comment(verb, &runs, ui).await,
        Verb::List(verb) => show::list(verb, &runs, ui).await,
        Verb::Show(verb) => show::show(&verb, &runs, ui).await,
        Verb::Log(verb) => show::log(&verb, &runs, ui).await,
        Verb::Wait(verb) => wait::wait(&verb, &runs, ui).await,
        Verb::Carry(verb) => end::carry(&verb, &runs, ui).await,
        Verb::Resume(verb) => end::resume(&verb, &runs, context, ui).await,
        Verb::Rollback(verb) => end::rollback(&verb, &runs, ui).await,
        Verb::Record(verb) => keep::record(&verb, &runs, ui).await,
        Verb::Objects(verb) => keep::objects(&verb, &runs, ui).await,
        Verb::Export(verb) => keep::export(&verb, &runs, ui).await,
        Verb::Import(verb) => keep::import(verb, &runs, ui).await,
    }
}

/// The decisions and runs that a command works on: in this process, or on a server.
struct RunClient {
    client: Box<dyn Client>,
}

impl RunClient {
    /// Finds the run that was named, or the default one.
    async fn meant(&self, named: Option<&str>) -> Result<ShownRun, Failure> {
        if let Some(named) = named {
            return Ok(self.client.run(named).await?);
        }
        let here = Repo::open(&PathBuf::from(".")).await.map_err(holdpoint_engine::Error::from)?;
        let here = here.folder().to_string_lossy().into_owned();
        let query = RunQuery { order: Order::NewestFirst, limit: 1_000, ..RunQuery::default() };
        let runs = self.client.runs(&query).await?.items;
        let mut running = runs.into_iter().filter(|run| run.status == RunStatus::Running && run.repo == here);
        match (running.next(), running.next()) {
            (Some(run), None) => Ok(run),
            (None, _) => Err(Failure::new(Exit::NotFound, "no run is in progress in this repository")
                .hint("start one: hold run start --task …, or name one with --run")),
            (Some(_), Some(_)) => {
                Err(Failure::new(Exit::NotFound, "several runs are in progress in this repository")
                    .hint("name one with --run or HOLD_RUN; hold run list shows them"))
            }
        }
    }

    /// Finishes background work: carries out verdicts, sends notices.
    async fn settle(&self, ui: &mut Ui) {
        self.client.finish().await.iter().for_each(|word| ui.warn(word));
    }

    /// Warns about other attempts at the task of a new run that are still under way.
    async fn others_under_way(&self, run: &Run, ui: &mut Ui) {
        let Ok(log) = self.client.run_log(&run.id.to_string()).await else { return };
        for other in
            log.items.iter().filter(|other| other.id != run.id && other.standing == Standing::Running)
        {
            let id = run_name(other.id);
            ui.note(format!(
                "Run {id} of the same task is still in progress; to end it: hold run finish --run {id}"
            ));
        }
    }

    /// Returns a run once its verdict was carried out, or in its current state after a while.
    async fn carried(&self, id: ObjectId) -> Result<ShownRun, Failure> {
        let until = tokio::time::Instant::now() + TIMEOUT;
        loop {
            let run = self.client.run(&id.to_string()).await?;
            let waits = matches!(run.standing, Standing::Carrying { .. });
            if !waits || tokio::time::Instant::now() > until {
                return Ok(run);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
