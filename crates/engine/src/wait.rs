//! Holding until a decision is settled.

use std::time::Duration;

use holdpoint_core::{Actor, Command, Decision, DecisionId, Status};

use crate::engine::Engine;
use crate::error::{Error, Result};

/// However quiet it is, look again this often: clocks jump and laptops sleep.
const LONGEST_NAP: Duration = Duration::from_secs(30);

impl Engine {
    /// Holds until a decision is settled or the time is up; returns it as it stands then.
    ///
    /// Whoever holds also records the deadline when it passes.
    pub async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        // Look at the signal before the store, so that nothing between the two is missed.
        let mut changed = self.store.watch()?;
        let mut seen_before = false;
        loop {
            changed.mark_unchanged();
            let Some(decision) = self.store.decision(id).await? else {
                return Err(if seen_before { Error::Removed(id) } else { Error::NotFound(id.to_string()) });
            };
            seen_before = true;
            if decision.status != Status::Pending {
                return Ok(decision);
            }
            let now = self.now().await?;
            if decision.is_due(now) {
                self.submit(Actor::system(), Command::Expire { id }).await?;
                continue;
            }
            let left = decision.deadline.map(|deadline| deadline.since(now).as_millis().unsigned_abs());
            let nap = left.map_or(LONGEST_NAP, |left| Duration::from_millis(left.max(1)).min(LONGEST_NAP));
            let nap_end = tokio::time::Instant::now() + nap;
            let until = give_up.map_or(nap_end, |give_up| give_up.min(nap_end));
            tokio::select! {
                signal = changed.changed() => {
                    if signal.is_err() {
                        // The watcher is gone; the nap still brings us back.
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
