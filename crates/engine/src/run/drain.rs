//! The lane `git` of the outbox: verdicts that wait to be carried out.

use std::time::Duration;

use holdpoint_core::{DecisionId, Lane, Run, Span};
use holdpoint_store::{Claim, Delivery, Parcel, ParcelState};
use tokio::sync::watch;

use super::Carried;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Kind;

/// How long a verdict is whose who took it: longer than git and hooks may take.
const LEASE: Span = Span::from_secs(30 * 60);
/// When to try again where somebody else is at work.
const PAUSE: Span = Span::from_secs(2);
/// How often a repository that somebody else has locked is tried before a person is told.
const TRIES: u32 = 10;
/// How many rows are looked at for what is left over.
const LOOKED_AT: usize = 100_000;
/// How often a server looks.
const LOOK: Duration = Duration::from_secs(1);

impl Engine {
    /// Carries out the verdicts that wait, each once; returns what is worth a word.
    pub async fn carry_out_verdicts(&self) -> Result<Vec<String>> {
        let lease = format!("{}-git-{:?}", std::process::id(), self.object_id()?);
        let mut words = Vec::new();
        loop {
            let now = self.clock();
            let claim = Claim {
                only: Vec::new(),
                lanes: vec![Lane::Git],
                but: Vec::new(),
                lease: lease.clone(),
                until: now.checked_add(LEASE).unwrap_or(now),
                now,
                limit: 1,
            };
            let Some(parcel) = self.store.claim(claim).await?.pop() else { return Ok(words) };
            words.extend(self.carry_out_parcel(&parcel, &lease).await?);
        }
    }

    /// Carries out one verdict now, whoever had taken it, and settles its row. Two at work on one come to the same.
    pub async fn carry_out_now(&self, id: DecisionId) -> Result<Carried> {
        let carried = self.carry_out(id, &|_| Ok(())).await?;
        for parcel in self.waiting().await?.into_iter().filter(|parcel| parcel.decision == Some(id)) {
            self.free(&parcel).await?;
        }
        self.carry_out_verdicts().await?;
        Ok(carried)
    }

    /// Frees the verdicts that a server or a command had taken and did not see through, where their repository is here.
    async fn take_over_verdicts(&self) -> Result<()> {
        for parcel in self.waiting().await? {
            let Some(id) = parcel.decision else { continue };
            let Some(decision) = self.store.decision(id).await? else { continue };
            let run = self.run_of(&decision).await?;
            if run.is_some_and(|run| std::path::Path::new(&run.repo).is_dir()) {
                self.free(&parcel).await?;
            }
        }
        Ok(())
    }

    async fn waiting(&self) -> Result<Vec<Parcel>> {
        let mut waiting = self.store.parcels(ParcelState::Queued, LOOKED_AT).await?;
        waiting.retain(|parcel| parcel.lane == Lane::Git);
        Ok(waiting)
    }

    /// Ends the lease on a row.
    async fn free(&self, parcel: &Parcel) -> Result<()> {
        let delivery = Delivery::Resend { not_after: parcel.not_after };
        match self.store.deliver(parcel.id, "", delivery).await {
            // Whoever had it was quicker.
            Ok(()) | Err(holdpoint_store::Error::Refused(_)) => Ok(()),
            Err(other) => Err(other.into()),
        }
    }

    /// Carries verdicts out as they are given, until `stop` says so. What others had begun and left is taken over at once.
    pub async fn run_verdicts(self, mut stop: watch::Receiver<bool>) {
        if let Err(error) = self.take_over_verdicts().await {
            tracing::warn!("Could not take over verdicts that were left: {error}");
        }
        while !*stop.borrow() {
            match self.carry_out_verdicts().await {
                Ok(words) => words.iter().for_each(|word| tracing::warn!("{word}")),
                Err(error) => tracing::warn!("Could not carry verdicts out: {error}"),
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = stop.changed() => {}
            }
        }
    }

    async fn carry_out_parcel(&self, parcel: &Parcel, lease: &str) -> Result<Option<String>> {
        let Some(id) = parcel.decision else {
            self.store.deliver(parcel.id, lease, Delivery::Done).await?;
            return Ok(None);
        };
        let carried = match self.carry_out(id, &|_| Ok(())).await {
            // Whoever has the lock does not let go of it, or is dead: somebody must look.
            Err(Error::Git(fault)) if fault.kind == Kind::Busy && parcel.attempts + 1 >= TRIES => {
                self.give_up(id, &fault.why).await
            }
            other => other,
        };
        let (delivery, word) = match carried {
            Ok(Carried::AskedAgain(run)) => {
                let why = run.trouble.as_deref().unwrap_or_default();
                let again = run.decision.map(|id| id.to_string()).unwrap_or_default();
                let word =
                    format!("the verdict {id} could not be carried out: {why}; asked again as {again}");
                (self.done_with(parcel, &run, id).await, Some(word))
            }
            Ok(Carried::Out(run)) => {
                self.clear_up_run(&run).await;
                (self.done_with(parcel, &run, id).await, None)
            }
            Ok(Carried::Nothing) => (Delivery::Done, None),
            Err(error) => {
                let error = error.to_string();
                let word = format!("the verdict {id} is not carried out yet: {error}");
                (self.later(error), Some(word))
            }
        };
        self.store.deliver(parcel.id, lease, delivery).await?;
        Ok(word)
    }

    async fn give_up(&self, id: DecisionId, why: &str) -> Result<Carried> {
        let Some(decision) = self.store.decision(id).await? else { return Ok(Carried::Nothing) };
        match self.run_of(&decision).await? {
            Some(run) => self.ask_again(&run, id, why).await,
            None => Ok(Carried::Nothing),
        }
    }

    /// A row is done with when its note is gone, too; that is tried a few times.
    async fn done_with(&self, parcel: &Parcel, run: &Run, id: DecisionId) -> Delivery {
        // Of one that is asked for again, whoever asked has seen to it, or could not look.
        if run.verdict.is_some() && parcel.attempts + 1 < TRIES && !self.forget_note(run, id).await {
            return self.later(format!("{} could not be taken away", super::note::note_ref(id)));
        }
        Delivery::Done
    }

    fn later(&self, error: String) -> Delivery {
        let now = self.clock();
        Delivery::Retry { not_before: now.checked_add(PAUSE).unwrap_or(now), error }
    }
}
