//! Holds until a decision is settled.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Actor, Command, Decision, DecisionId, Status};
use holdpoint_store::SharedDecision;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::hub::Hub;
use crate::visible::VisibleDecision;

/// How often to check even if nothing happens: clocks jump and laptops sleep.
const LONGEST_NAP: Duration = Duration::from_secs(30);
/// The same for a server, whose waiters are woken by the hub: this covers only what the hub could have missed.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// The result of holding.
#[derive(Clone, Debug)]
pub struct WaitOutcome {
    /// The decision in its current state.
    pub decision: VisibleDecision,
    /// How long after its settling began the caller was woken, if this process settled it meanwhile.
    pub woken_after: Option<Duration>,
}

/// The same, with all that was recorded.
struct Held {
    decision: SharedDecision,
    woken_after: Option<Duration>,
}

impl Held {
    fn not_woken(decision: SharedDecision) -> Self {
        Self { decision, woken_after: None }
    }

    fn shown_to(self, caller: &Caller) -> WaitOutcome {
        WaitOutcome { decision: caller.shown(self.decision), woken_after: self.woken_after }
    }
}

impl Engine {
    /// Holds until a decision is settled or the time is up; returns it in its current state.
    ///
    /// A waiter also records the deadline when it passes; in a server, a separate task does.
    pub async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        match &self.hub {
            Some(hub) => Ok(self.wait_in(hub, id, timeout, None).await?.decision.into_decision()),
            None => Box::pin(self.watch(id, timeout)).await,
        }
    }

    /// Holds on a decision that the caller may read; one that they may not see is not found.
    pub async fn wait_for(
        &self,
        caller: &Caller,
        id: DecisionId,
        timeout: Option<Duration>,
    ) -> Result<Decision> {
        Ok(self.hold_for(caller, id, timeout).await?.decision.into_decision())
    }

    /// Does the same, and returns how soon the caller was woken.
    pub async fn hold_for(
        &self,
        caller: &Caller,
        id: DecisionId,
        timeout: Option<Duration>,
    ) -> Result<WaitOutcome> {
        let Some(hub) = &self.hub else {
            // A server has thousands of waiters, and does not need the memory that this takes.
            return Box::pin(self.watch_for(caller, id, timeout)).await;
        };
        Ok(self.wait_in(hub, id, timeout, Some(caller)).await?.shown_to(caller))
    }

    async fn watch_for(
        &self,
        caller: &Caller,
        id: DecisionId,
        timeout: Option<Duration>,
    ) -> Result<WaitOutcome> {
        let seen = self.decision_for(caller, id).await?;
        seen.ok_or_else(|| Error::NotFound(id.to_string()))?;
        Ok(Held::not_woken(SharedDecision::new(self.watch(id, timeout).await?)).shown_to(caller))
    }

    async fn wait_in(
        &self,
        hub: &Arc<Hub>,
        id: DecisionId,
        timeout: Option<Duration>,
        caller: Option<&Caller>,
    ) -> Result<Held> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        let mut seen_before = false;
        loop {
            let waiter = hub.subscribe(id);
            let left =
                give_up.map_or(LONGEST_WAIT, |at| at.saturating_duration_since(tokio::time::Instant::now()));
            if left.is_zero() || !self.is_known_pending(hub, id, caller) {
                // Thousands may wait here, so the memory for reading a decision is not kept while they do.
                let looked = Box::pin(self.check_settled(id, caller, left.is_zero())).await?;
                match looked {
                    Settlement::Settled(decision) => return Ok(Held::not_woken(decision)),
                    Settlement::Pending => {}
                    Settlement::Gone => return Err(not_found(id, seen_before)),
                }
            }
            seen_before = true;
            if let Some(settled) = waiter.settled(left.min(LONGEST_WAIT)).await {
                let woken_after = settled.begun.map(|begun| begun.elapsed());
                return Ok(Held { decision: settled.decision, woken_after });
            }
        }
    }

    /// Returns whether a decision that the caller may read is pending according to this process's last write. If
    /// another process has settled it meanwhile, subscribers are woken as soon as that is known.
    fn is_known_pending(&self, hub: &Hub, id: DecisionId, caller: Option<&Caller>) -> bool {
        // A deadline may have passed; and if no key vouches for the log, the decision is compared with it.
        let counts = |decision: &Decision| decision.deadline.is_none() && self.unvouched().is_none();
        let seen = |decision: &Decision| caller.is_none_or(|caller| caller.may_read(decision));
        hub.recall(id).is_some_and(|decision| counts(&decision) && seen(&decision))
    }

    /// Looks at a decision; one that is pending is returned only if that is the last word. A waiter is told what is
    /// recorded: when a deadline passes, an answer that came in time may be on its way into the store.
    async fn check_settled(&self, id: DecisionId, caller: Option<&Caller>, last: bool) -> Result<Settlement> {
        let seen = |decision: &Decision| caller.is_none_or(|caller| caller.may_read(decision));
        let mut found = self.store.decision(id).await?.filter(seen);
        let has_deadline =
            |decision: &Decision| decision.deadline.is_some() && decision.status == Status::Pending;
        if let Some(decision) = found.as_ref().filter(|decision| has_deadline(decision))
            && decision.is_due(self.now().await?)
        {
            self.submit(Actor::system(), Command::Expire { id }).await?;
            found = self.store.decision(id).await?.filter(seen);
        }
        Ok(match found {
            None => Settlement::Gone,
            Some(decision) if last || decision.status != Status::Pending => {
                self.check_shown(&decision).await?;
                Settlement::Settled(SharedDecision::new(decision))
            }
            Some(_) => Settlement::Pending,
        })
    }

    async fn watch(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        // The signal comes before the store, so that no change in between is missed.
        let mut changed = self.store.watch()?;
        let mut seen_before = false;
        loop {
            changed.mark_unchanged();
            let decision = self.store.decision(id).await?.ok_or_else(|| not_found(id, seen_before))?;
            seen_before = true;
            if decision.status != Status::Pending {
                self.check_shown(&decision).await?;
                return Ok(decision);
            }
            let now = self.now().await?;
            if decision.is_due(now) {
                self.submit(Actor::system(), Command::Expire { id }).await?;
                continue;
            }
            if decision.deadline.is_some() && self.record_step(id).await? {
                continue;
            }
            let left = decision.deadline.map(|deadline| deadline.since(now).as_millis().unsigned_abs());
            let nap = left.map_or(LONGEST_NAP, |left| Duration::from_millis(left.max(1)).min(LONGEST_NAP));
            let nap_end = tokio::time::Instant::now() + nap;
            let until = give_up.map_or(nap_end, |give_up| give_up.min(nap_end));
            tokio::select! {
                signal = changed.changed() => {
                    if signal.is_err() {
                        // The watcher is gone; the nap still ends.
                        tokio::time::sleep_until(until).await;
                    }
                }
                () = tokio::time::sleep_until(until) => {}
            }
            if give_up.is_some_and(|give_up| tokio::time::Instant::now() >= give_up) {
                return self.decision(id).await?.ok_or(Error::Removed(id));
            }
        }
    }
}

/// What a look at a decision found.
enum Settlement {
    Settled(SharedDecision),
    Pending,
    Gone,
}

fn not_found(id: DecisionId, seen_before: bool) -> Error {
    if seen_before { Error::Removed(id) } else { Error::NotFound(id.to_string()) }
}
