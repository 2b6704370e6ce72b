//! `hold run resume`, `rollback` and `export`: what can follow the end of a run.

use holdpoint_engine::run::Carried;

use super::{Desk, show};
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Carry a verdict out now, if whoever should have done so has not
#[derive(Debug, clap::Args)]
pub(super) struct Carry {
    /// The decision that gave it
    decision: String,
}

/// Begin a run that goes on from a checkpoint
#[derive(Debug, clap::Args)]
pub(super) struct Resume {
    /// The checkpoint, which bears the id of the run that saved it
    checkpoint: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Begin a run that takes back what another committed, and ask for its verdict
#[derive(Debug, clap::Args)]
pub(super) struct Rollback {
    /// The run that committed
    run: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Write all attempts at a task to the repository, as git blobs under refs/libra/intent
#[derive(Debug, clap::Args)]
pub(super) struct Export {
    /// A run of the task
    run: String,
}

pub(super) async fn carry(verb: &Carry, desk: &Desk, ui: &mut Ui) -> Result<Exit, Failure> {
    let id = desk.engine.find(&verb.decision).await?;
    match desk.engine.carry_out(id, &|_| Ok(())).await? {
        Carried::Out(run) => ui.line(show::standing(&run))?,
        Carried::AskedAgain(run) => {
            desk.tell(ui).await;
            ui.line(show::standing(&run))?;
            ui.warn(run.trouble.unwrap_or_default());
        }
        Carried::Nothing => ui.note(format!("{id} gave no verdict that waits to be carried out.")),
    }
    Ok(Exit::Done)
}

pub(super) async fn resume(verb: &Resume, desk: &Desk, ui: &mut Ui) -> Result<Exit, Failure> {
    let saved = desk.engine.find_run(&verb.checkpoint).await?;
    let run = desk.engine.resume_run(&desk.caller, &saved).await?;
    if verb.json {
        ui.json(&run)?;
    } else {
        ui.line(run.id.to_string())?;
        ui.note(format!("Goes on from commit {}; check it out to work on it.", show::short(&run.base)));
    }
    Ok(Exit::Done)
}

pub(super) async fn rollback(verb: &Rollback, desk: &Desk, ui: &mut Ui) -> Result<Exit, Failure> {
    let done = desk.engine.find_run(&verb.run).await?;
    let run = desk.engine.rollback_run(&desk.caller, &done).await?;
    desk.tell(ui).await;
    if verb.json {
        ui.json(&run)?;
    } else if let Some(decision) = run.decision {
        ui.line(decision.to_string())?;
        ui.note(format!("Run {} asks whether to take it back; see hold show {decision}.", run.id));
    }
    Ok(Exit::Done)
}

pub(super) async fn export(verb: &Export, desk: &Desk, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = desk.engine.find_run(&verb.run).await?;
    let shared = desk.engine.export_task(&run).await?;
    let commit = shared.commit.as_deref().map(show::short).unwrap_or_default();
    ui.line(format!("{} objects at refs/libra/intent, commit {commit}", shared.objects))?;
    Ok(Exit::Done)
}
