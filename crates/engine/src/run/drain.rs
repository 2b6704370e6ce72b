//! The lane `git` of the outbox: verdicts to carry out.

use std::time::Duration;

use holdpoint_core::{DecisionId, Lane, Run, Span};
use holdpoint_store::{Delivery, OutboxEntry, OutboxState};
use tokio::sync::watch;

use super::CarryOutcome;
use super::lanes::{VerdictQueues, VerdictReport};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Kind;

/// When to try again if another process is working.
const PAUSE: Span = Span::from_secs(2);
/// How often a repository that another process has locked is tried before a person is told.
const TRIES: u32 = 10;
/// How many verdicts are checked for leftovers.
const LOOKED_AT: usize = 100_000;
/// How often to check for more work.
const LOOK: Duration = Duration::from_secs(1);

impl Engine {
    /// Carries out the waiting verdicts, each tried once; returns messages worth showing.
    pub async fn carry_out_verdicts(&self) -> Result<Vec<String>> {
        self.carry_out_of(&[]).await
    }

    /// Carries out one verdict now, and settles its row, unless a live process is carrying it out.
    pub async fn carry_out_now(&self, id: DecisionId) -> Result<CarryOutcome> {
        let carried = self.carry_out(id, &|_| Ok(())).await?;
        let mut targets = Vec::new();
        for entry in self.waiting().await?.into_iter().filter(|entry| entry.decision == Some(id)) {
            self.free(&entry).await?;
            targets.push(entry.target);
        }
        if !targets.is_empty() {
            self.carry_out_of(&targets).await?;
        }
        Ok(carried)
    }

    /// Carries out the verdicts of some targets, or of all; those that cannot be carried out now are left for later.
    async fn carry_out_of(&self, only: &[String]) -> Result<Vec<String>> {
        let mut lanes = VerdictQueues::new(self.lease()?);
        let (mut words, mut left, mut failed) = (Vec::new(), Vec::new(), None);
        loop {
            if failed.is_none() {
                failed = lanes.take(self, only, &left).await.err();
            }
            // If all of them hang, there is room for others after a while.
            let Ok(next) = tokio::time::timeout(LOOK, lanes.next(self)).await else { continue };
            let Some((entry, told)) = next else { break };
            match told {
                Ok(told) => {
                    words.extend(told.word);
                    left.extend(told.left.then_some(entry.target));
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(words), Err)
    }

    fn lease(&self) -> Result<String> {
        Ok(format!("{}-git-{:?}", std::process::id(), self.object_id()?))
    }

    /// Frees the verdicts that a killed server or command had claimed, if their repository is on this machine.
    async fn take_over_verdicts(&self) -> Result<()> {
        for entry in self.waiting().await? {
            let Some(id) = entry.decision else { continue };
            let Some(decision) = self.store.decision(id).await? else { continue };
            let run = self.run_of(&decision).await?;
            if run.is_some_and(|run| std::path::Path::new(&run.repo).is_dir()) {
                self.free(&entry).await?;
            }
        }
        Ok(())
    }

    async fn waiting(&self) -> Result<Vec<OutboxEntry>> {
        Ok(self.store.outbox_entries(OutboxState::Queued, Some(Lane::Git), LOOKED_AT).await?)
    }

    /// Ends the lease on a row.
    async fn free(&self, entry: &OutboxEntry) -> Result<()> {
        let delivery = Delivery::Resend { not_after: entry.not_after };
        match self.store.deliver("", vec![(entry.id, delivery)]).await {
            // The holder of the lease was faster.
            Ok(()) | Err(holdpoint_store::Error::Refused(_)) => Ok(()),
            Err(other) => Err(other.into()),
        }
    }

    /// Carries out verdicts as they are given, until `stop` is set. Verdicts abandoned by other processes are taken
    /// over at once.
    pub async fn run_verdicts(self, mut stop: watch::Receiver<bool>) {
        if let Err(error) = self.take_over_verdicts().await {
            tracing::warn!("Could not take over verdicts that were left: {error}");
        }
        let mut lanes = match self.lease() {
            Ok(lease) => VerdictQueues::new(lease),
            Err(error) => {
                tracing::error!("No verdicts are carried out: {error}");
                return;
            }
        };
        while !*stop.borrow() {
            if let Err(error) = lanes.take(&self, &[], &[]).await {
                tracing::warn!("Could not carry verdicts out: {error}");
            }
            tokio::select! {
                Some((_, told)) = lanes.next(&self) => log(told),
                () = tokio::time::sleep(LOOK) => {}
                _ = stop.changed() => {}
            }
        }
        // Verdicts in progress are finished, if there is time; the rest is for the next process.
        for entry in lanes.give_back() {
            let _ = self.free(&entry).await;
        }
        while let Some((_, told)) = lanes.next(&self).await {
            log(told);
        }
    }

    pub(super) async fn carry_out_entry(&self, entry: &OutboxEntry, lease: &str) -> Result<VerdictReport> {
        let Some(id) = entry.decision else {
            self.store.deliver(lease, vec![(entry.id, Delivery::Done)]).await?;
            return Ok(VerdictReport { word: None, taken: false, left: false });
        };
        let carried = match self.carry_out(id, &|_| Ok(())).await {
            // The holder of the lock keeps it, or is dead: a person must look into it.
            Err(Error::Git(fault)) if fault.kind == Kind::Busy && entry.attempts + 1 >= TRIES => {
                self.give_up(id, &fault.why).await
            }
            other => other,
        };
        let mut taken = false;
        let (delivery, word) = match carried {
            Ok(CarryOutcome::AskedAgain(run)) => {
                let why = run.trouble.as_deref().unwrap_or_default();
                let again = run.decision.map(|id| id.to_string()).unwrap_or_default();
                let word =
                    format!("the verdict {id} could not be carried out: {why}; asked again as {again}");
                (self.done_with(entry, &run, id).await, Some(word))
            }
            Ok(CarryOutcome::Out(run)) => {
                self.clear_up_run(&run).await;
                match self.done_with(entry, &run, id).await {
                    Delivery::Retry { not_before, error } => {
                        let word = format!(
                            "the verdict {id} was carried out, but {error}; later: hold run carry {id}"
                        );
                        (Delivery::Retry { not_before, error }, Some(word))
                    }
                    done => (done, None),
                }
            }
            Ok(CarryOutcome::Nothing) => (Delivery::Done, None),
            Err(error) => {
                taken = matches!(&error, Error::Git(fault) if fault.kind == Kind::Taken);
                let error = error.to_string();
                let then = if taken { String::new() } else { format!("; then: hold run carry {id}") };
                let word = format!("the verdict {id} is not carried out yet: {error}{then}");
                // Waiting for another process is not a failure, and is not counted as one.
                let delivery = if taken {
                    Delivery::Resend { not_after: entry.not_after }
                } else {
                    self.later(error).await
                };
                (delivery, Some(word))
            }
        };
        let left = !matches!(delivery, Delivery::Done);
        match self.store.deliver(lease, vec![(entry.id, delivery)]).await {
            // The process that carried it out has settled the row.
            Err(holdpoint_store::Error::Refused(_)) if taken => {}
            other => other?,
        }
        Ok(VerdictReport { word, taken, left })
    }

    async fn give_up(&self, id: DecisionId, why: &str) -> Result<CarryOutcome> {
        let Some(decision) = self.store.decision(id).await? else { return Ok(CarryOutcome::Nothing) };
        match self.run_of(&decision).await? {
            Some(run) => self.ask_again(&run, id, why).await,
            None => Ok(CarryOutcome::Nothing),
        }
    }

    /// Returns the result for a row, which is only finished when its note is gone, too; that is tried a few times.
    async fn done_with(&self, entry: &OutboxEntry, run: &Run, id: DecisionId) -> Delivery {
        // If the verdict was requested again, the note has been handled already, or could not be checked.
        if run.verdict.is_some()
            && entry.attempts + 1 < TRIES
            && let Err(why) = self.forget_note(run, id).await
        {
            return self.later(format!("{} could not be taken away: {why}", super::note::note_ref(id))).await;
        }
        Delivery::Done
    }

    async fn later(&self, error: String) -> Delivery {
        let now = self.now().await.unwrap_or_else(|_| self.clock());
        Delivery::Retry { not_before: now.checked_add(PAUSE).unwrap_or(now), error }
    }
}

fn log(told: Result<VerdictReport>) {
    match told {
        Ok(VerdictReport { word: Some(word), taken: true, .. }) => tracing::debug!("{word}"),
        Ok(VerdictReport { word: Some(word), .. }) => tracing::warn!("{word}"),
        Ok(_) => {}
        Err(error) => tracing::warn!("Could not carry a verdict out: {error}"),
    }
}
