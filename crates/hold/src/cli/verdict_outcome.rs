//! Reports the outcome of a verdict on a run to the person who gave it.

use std::time::Duration;

use holdpoint_core::run::Standing;
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, DecisionId, OwnerKind, Source};
use holdpoint_engine::run::ShownRun;
use holdpoint_engine::{Client, git};
use tokio::time::{Instant, sleep};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::holding::Interrupt;
use super::ui::Ui;
use crate::view_model::run::{run_name, standing};
use crate::view_model::verdict_commit::committed;

/// How often to check.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a verdict may be unclaimed before the process that gave it carries it out: another may be about to begin.
const GRACE: Duration = Duration::from_secs(1);
/// How long to watch a server carry it out.
const LOOKED_AT: Duration = Duration::from_secs(10);
/// How much longer to wait than one git call may take.
const BEYOND: Duration = Duration::from_secs(10);

/// The process that carries out pending verdicts.
pub(super) enum VerdictCarrier {
    /// A server that is known to run; an interrupt ends the wait for it.
    Server(Interrupt),
    /// Commands, whichever runs; an interrupt ends the wait for them.
    Commands(Interrupt),
}

/// Returns what carries out verdicts: a store that only a server may write to has a server, wherever that runs.
pub(super) async fn carrier(context: &Context, client: &dyn Client) -> Result<VerdictCarrier, Failure> {
    let interrupt = Interrupt::listen()?;
    let served = context.has_server() || client.auth_required().await.unwrap_or(false);
    Ok(if served { VerdictCarrier::Server(interrupt) } else { VerdictCarrier::Commands(interrupt) })
}

/// Returns whether a message about background work concerns this verdict.
pub(super) fn is_own(id: DecisionId, word: &str) -> bool {
    ["could not be carried out", "is not carried out yet"]
        .iter()
        .any(|what| word.starts_with(&format!("the verdict {id} {what}")))
}

/// Reports the outcome of a verdict on a run; none if it cannot be seen, or if the decision was no verdict. A verdict
/// that was not carried out is an error, although it was recorded.
pub(super) async fn carried(
    decision: &Decision,
    carrier: VerdictCarrier,
    client: &dyn Client,
    ui: &mut Ui,
) -> Result<Option<Exit>, Failure> {
    let of_run = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
    let Some(owner) = of_run.filter(|_| decision.source == Source::Verdict) else { return Ok(None) };
    // A person who may answer may not be allowed to see the run.
    let Ok(mut run) = client.run(&owner.id).await else { return Ok(None) };
    run = match carrier {
        VerdictCarrier::Commands(interrupt) => seen_through(run, decision.id, interrupt, client).await?,
        VerdictCarrier::Server(interrupt) => looked_at(run, decision.id, interrupt, client).await?,
    };
    match (&run.verdict, run.decision, &run.trouble) {
        (None, Some(asked), _) if asked == decision.id => {
            let see = format!("See hold run show {}", run_name(run.id));
            ui.note(format!("It is not carried out yet; the server does that within moments. {see}"));
            Ok(Some(Exit::Done))
        }
        (None, Some(asked), Some(why)) => {
            let why = format!("the verdict could not be carried out: {}", inert(why));
            Err(Failure::new(Exit::Conflict, why).hint(format!("it is asked again: hold show {asked}")))
        }
        (Some(_), _, _) => {
            let became = || format!("Run {}: {}", run_name(run.id), standing(&run));
            ui.note(committed(&run).unwrap_or_else(became));
            Ok(Some(Exit::Done))
        }
        _ => Ok(Some(Exit::Done)),
    }
}

/// Waits a while for a server to carry the verdict out, which rarely takes longer.
async fn looked_at(
    mut run: ShownRun,
    id: DecisionId,
    mut interrupt: Interrupt,
    client: &dyn Client,
) -> Result<ShownRun, Failure> {
    let until = Instant::now() + LOOKED_AT;
    while matches!(&run.standing, Standing::Carrying { decision, .. } if *decision == id)
        && Instant::now() < until
    {
        tokio::select! {
            () = sleep(PAUSE) => {}
            () = interrupt.interrupted() => return Ok(run),
        }
        run = client.run(&run.id.to_string()).await?;
    }
    Ok(run)
}

/// Waits while another process carries the verdict out, and carries it out here if none does.
async fn seen_through(
    mut run: ShownRun,
    id: DecisionId,
    mut interrupt: Interrupt,
    client: &dyn Client,
) -> Result<ShownRun, Failure> {
    let give_up = Instant::now() + git::call_timeout() + BEYOND;
    let mut left_since = Instant::now();
    loop {
        let Standing::Carrying { decision, trouble, at_work, .. } = &run.standing else { return Ok(run) };
        if *decision != id {
            return Ok(run);
        }
        match (at_work, trouble) {
            _ if Instant::now() >= give_up => {
                let by = at_work.as_deref().unwrap_or("somebody else");
                return Err(not_yet(id, &format!("{by} is still working on it")));
            }
            (Some(_), _) => left_since = Instant::now(),
            (None, Some(why)) => return Err(not_yet(id, why)),
            (None, None) if left_since.elapsed() < GRACE => {}
            (None, None) => {
                // If another process has just begun, keep waiting.
                if let Err(error) = client.carry_run(&run.id.to_string()).await
                    && !matches!(&error, holdpoint_engine::Error::Git(fault) if fault.kind == git::Kind::Taken)
                {
                    return Err(not_yet(id, &error.to_string()));
                }
                left_since = Instant::now();
            }
        }
        tokio::select! {
            () = sleep(PAUSE) => {}
            () = interrupt.interrupted() => return Err(not_yet(id, "gave up waiting for it")),
        }
        run = client.run(&run.id.to_string()).await?;
    }
}

fn not_yet(id: DecisionId, why: &str) -> Failure {
    let why = format!("the verdict is given, but not carried out yet: {}", inert(why));
    Failure::new(Exit::StillPending, why).hint(format!("to have it carried out: hold run carry {id}"))
}
