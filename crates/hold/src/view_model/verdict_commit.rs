//! Where a verdict's commit went, for the person who gave the verdict.

use std::time::Duration;

use holdpoint_core::run::{Standing, Verdict};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, OwnerKind, Run, Source};
use holdpoint_engine::Client;
use tokio::time::{Instant, sleep};

use super::run::{branch_name, short};

/// How often to check, and for how long.
const PAUSE: Duration = Duration::from_millis(100);
pub(crate) const LOOKED_AT: Duration = Duration::from_secs(10);

/// Describes the commit of a run, its branch, and how to merge it.
pub(crate) fn committed(run: &Run) -> Option<String> {
    let (commit, branch) = (run.verdict.as_ref()?.commit.as_deref()?, branch_name(&run.branch));
    Some(format!("Commit {} is on branch {branch}. {}", short(commit), merging(run)))
}

/// Says how to merge a run's commit. What was proposed from a person's own work tree is still there, uncommitted, and
/// git does not merge over it.
pub(crate) fn merging(run: &Run) -> String {
    let merge = format!("To merge it: git merge {}", branch_name(&run.branch));
    let commits = run.verdict.as_ref().is_some_and(|verdict| verdict.verdict == Verdict::Commit);
    if commits && run.job.is_none() {
        format!("{merge} (if your work tree still has these changes, first: git stash -u)")
    } else {
        merge
    }
}

/// Describes the commit that a settled verdict made; none for other decisions, and if the run cannot be seen.
pub(crate) async fn commit_of(client: &dyn Client, decision: &Decision) -> Option<String> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    decision.answer.as_ref().filter(|_| decision.source == Source::Verdict)?;
    let run = client.run(&owner.id).await.ok()?;
    committed(&run).filter(|_| run.decision == Some(decision.id))
}

/// Waits a while for a verdict to be carried out; returns where its commit is, or why it is asked again. None for
/// other decisions, for verdicts that commit nothing, and if the run cannot be seen.
pub(crate) async fn landed(
    client: &dyn Client,
    decision: &Decision,
    within: Duration,
) -> Option<Result<String, String>> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    decision.answer.as_ref().filter(|_| decision.source == Source::Verdict)?;
    let until = Instant::now() + within;
    loop {
        let run = client.run(&owner.id).await.ok()?;
        match (&run.standing, &run.trouble) {
            (Standing::Carrying { .. }, _) if Instant::now() < until => sleep(PAUSE).await,
            (Standing::Waiting { decision: again, .. }, Some(why)) if *again != decision.id => {
                let why = inert_line(why);
                return Some(Err(format!("The verdict could not be carried out, and is asked again: {why}")));
            }
            _ => return committed(&run).map(Ok),
        }
    }
}
