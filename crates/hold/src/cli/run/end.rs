//! `hold run carry`, `resume` and `rollback`: what can follow the end of a run.

use std::path::PathBuf;

use holdpoint_core::run::Standing;
use holdpoint_core::{OwnerKind, Refusal};
use holdpoint_engine::Error;
use holdpoint_engine::git::Repo;

use super::RunClient;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::view_model::run::{run_name, short, standing};

/// Carry out a verdict now, if no process has done so
#[derive(Debug, clap::Args)]
pub(super) struct Carry {
    /// The verdict's decision, or its run
    decision: String,
}

/// Start a run that continues from a checkpoint
#[derive(Debug, clap::Args)]
pub(super) struct Resume {
    /// The checkpoint: the id of the run that saved it
    checkpoint: String,
    /// Also check it out as a new work tree, in this folder or one of Holdpoint's own
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "")]
    r#continue: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The command to start there, after --; `HOLD_RUN` names the run
    #[arg(last = true, requires = "continue")]
    command: Vec<String>,
}

/// Start a run that reverts what another committed, and ask for its verdict
#[derive(Debug, clap::Args)]
pub(super) struct Rollback {
    /// The run that committed
    run: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn carry(verb: &Carry, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = match runs.client.get(&verb.decision).await {
        Ok(decision) => {
            let run = decision.owner.filter(|owner| owner.kind == OwnerKind::Run).map(|owner| owner.id);
            let none =
                || Failure::error(format!("{} is not a question about the verdict on a run", decision.id));
            run.ok_or_else(none)?
        }
        Err(error @ Error::Refused(Refusal::Unproven { .. })) => return Err(error.into()),
        Err(Error::Remote(problem)) if problem.code == "unproven" => {
            return Err(Error::Remote(problem).into());
        }
        Err(_) => verb.decision.clone(),
    };
    let run = runs.client.carry_run(&run).await?;
    runs.settle(ui).await;
    ui.line(standing(&run))?;
    Ok(match run.standing {
        Standing::Waiting { trouble: Some(_), .. } => Exit::Conflict,
        Standing::Running | Standing::Waiting { .. } => {
            ui.note("No verdict is waiting to be carried out.");
            Exit::Done
        }
        _ => Exit::Done,
    })
}

pub(super) async fn resume(
    verb: &Resume,
    runs: &RunClient,
    context: &Context,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let named = verb.r#continue.as_ref().filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if let Some(folder) = named.as_ref().filter(|folder| folder.exists()) {
        return Err(Failure::error(format!("{} is there already; name a new folder", folder.display())));
    }
    let saved = runs.client.run(&verb.checkpoint).await?;
    let run = runs.client.resume_run(&verb.checkpoint).await?;
    let id = run.id.to_string();
    if verb.json {
        ui.json(&run)?;
    } else {
        ui.line(&id)?;
    }
    for before in &saved.resumed_by {
        ui.warn(format!("run {} continues from it already; this is another attempt", run_name(*before)));
    }
    runs.others_under_way(&run, ui).await;
    if verb.r#continue.is_none() {
        ui.note(format!("Continues from commit {}; check it out to work on it.", short(&run.base)));
        return Ok(Exit::Done);
    }
    let folder = named.unwrap_or_else(|| holdpoint_engine::run::work_dir(&context.home, &id));
    let cannot = holdpoint_engine::Error::from;
    let repo = Repo::open(std::path::Path::new(&run.repo)).await.map_err(cannot)?;
    repo.check_out(&folder, &run.base).await.map_err(cannot)?;
    ui.note(format!(
        "The work tree is {}; when done: hold run patch --from-worktree {} --run {}",
        folder.display(),
        folder.display(),
        run_name(run.id)
    ));
    let Some((program, arguments)) = verb.command.split_first() else { return Ok(Exit::Done) };
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).current_dir(&folder).env("HOLD_RUN", &id);
    let ended = command.status().await;
    let ended = ended.map_err(|why| Failure::error(format!("{program:?} cannot be run: {why}")))?;
    if !ended.success() {
        ui.warn(format!("{program} ended with {ended}"));
        return Ok(Exit::Error);
    }
    Ok(Exit::Done)
}

pub(super) async fn rollback(verb: &Rollback, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    let run = runs.client.rollback_run(&verb.run).await?;
    runs.settle(ui).await;
    if verb.json {
        ui.json(&run)?;
    } else if let Some(decision) = run.decision {
        ui.line(decision.to_string())?;
        ui.note(format!("Run {} asks whether to revert it; see hold show {decision}.", run_name(run.id)));
    }
    Ok(Exit::Done)
}
