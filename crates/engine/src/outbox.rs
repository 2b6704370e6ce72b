//! Draining the outbox: whoever committed runs the hooks it ordered, under a lease.

use std::time::Duration;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::{Claim, Delivery, EventQuery, Parcel};
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::{event_view, hooks};

impl Engine {
    /// Runs the hooks that wait, each once; returns what went wrong, in words. No failure changes a decision.
    pub async fn run_hooks(&self) -> Result<Vec<String>> {
        let lease = lease_name()?;
        let limit = Span::from_millis(self.settings.hooks.timeout.as_millis() + 5_000);
        let mut failures = Vec::new();
        loop {
            let now = self.clock.now();
            let until = now.checked_add(limit).unwrap_or(now);
            let claim = Claim { lanes: vec![Lane::Hook], lease: lease.clone(), until, now, limit: 1 };
            let parcels = self.store.claim(claim).await?;
            if parcels.is_empty() {
                return Ok(failures);
            }
            for parcel in parcels {
                let delivery = match self.run_hook(&parcel).await {
                    Ok(()) => Delivery::Done,
                    Err(error) => {
                        failures.push(format!("{}: {error}", parcel.target));
                        Delivery::Dead { error }
                    }
                };
                self.store.deliver(parcel.id, &lease, delivery).await?;
            }
        }
    }

    async fn run_hook(&self, parcel: &Parcel) -> std::result::Result<(), String> {
        let occasions = [Occasion::Create, Occasion::Respond, Occasion::Timeout];
        let Some(occasion) = occasions.into_iter().find(|occasion| occasion.hook() == parcel.target) else {
            return Err("this version knows no such hook".into());
        };
        let Some(payload) = self.payload(parcel).await.map_err(|error| error.to_string())? else {
            return Ok(());
        };
        let command = match self.settings.hooks.command(occasion) {
            Some(command) => hooks::Run::Command(command.clone()),
            None => match hooks::desktop_notice() {
                Some(program) => hooks::Run::Notice(program),
                None => return Ok(()),
            },
        };
        let timeout = Duration::from_millis(self.settings.hooks.timeout.as_millis().unsigned_abs());
        let run = tokio::task::spawn_blocking(move || hooks::run(&command, &payload, timeout));
        run.await.map_err(|why| format!("the hook could not be run: {why}"))?
    }

    /// Returns what a hook is told: the event and the decision as it is now; nothing if that is gone.
    async fn payload(&self, parcel: &Parcel) -> Result<Option<Value>> {
        let Some(id) = parcel.decision else { return Ok(None) };
        let Some(mut decision) = self.decision(id).await? else { return Ok(None) };
        decision.asked_with = None;
        let query =
            EventQuery { after: parcel.seq - 1, decision: Some(id), limit: 1, ..EventQuery::default() };
        let event = self.store.events(&query).await?.first().map(event_view::view);
        Ok(Some(json!({ "id": parcel.id, "event": event, "decision": decision })))
    }
}

fn lease_name() -> Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|why| Error::Settings(format!("no randomness for a lease: {why}")))?;
    Ok(format!("{}-{:016x}", std::process::id(), u64::from_le_bytes(bytes)))
}
