//! What a server does on its own besides draining the outbox: deadlines and checkpoints, until it is stopped.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::Lane;
use holdpoint_store::chain::{FaultKind, LogFault};
use holdpoint_store::{Signer as _, vouch};
use tokio::sync::watch;

use crate::engine::Engine;
use crate::error::Result;
use crate::hub::Hub;
use crate::rotation::RotatedKey;

/// How often the whole log is checked.
const WHOLE: Duration = Duration::from_secs(60 * 60);
/// How often deadlines are checked even if nothing happens: clocks jump.
const LONGEST_NAP: Duration = Duration::from_secs(30);
/// How long after a commit deadlines are checked again.
const GATHER: Duration = Duration::from_millis(10);
/// How often to check whether the log has grown and needs to be signed.
const QUIET: Duration = Duration::from_secs(1);

impl Engine {
    /// Makes this the engine of a server: waiters are woken from memory, and deadlines fire on their own.
    pub async fn serving(mut self) -> Result<Self> {
        self.hub = Some(Hub::start(Arc::clone(&self.store), Arc::clone(&self.token_cache)).await?);
        Ok(self)
    }

    /// Returns how many waiters are parked here.
    pub fn parked(&self) -> usize {
        self.hub.as_ref().map_or(0, |hub| hub.parked())
    }

    /// Returns a signal that carries the end of the log.
    pub fn head_signal(&self) -> Result<watch::Receiver<i64>> {
        match &self.hub {
            Some(hub) => Ok(hub.head()),
            None => Ok(self.store.watch()?),
        }
    }

    /// Returns a signal that changes when there may be new rows in a lane of the outbox.
    pub(crate) fn lane_signal(&self, lane: Lane) -> Result<watch::Receiver<i64>> {
        match &self.hub {
            Some(hub) => Ok(hub.lane(lane)),
            None => Ok(self.store.watch()?),
        }
    }

    /// Fires deadlines and steps of escalations as they pass, until `stop` is set.
    pub async fn run_deadlines(self, mut stop: watch::Receiver<bool>) {
        // Without a server there is no signal for deadlines; an occasional check has to do.
        let mut changed = self.hub.as_ref().map(|hub| hub.deadlines());
        while !*stop.borrow() {
            if let Some(changed) = &mut changed {
                changed.mark_unchanged();
            }
            let nap = self.fire_deadlines().await.unwrap_or_else(|error| {
                tracing::warn!("Could not record deadlines: {error}");
                QUIET
            });
            let until_step = self.fire_escalations().await.unwrap_or_else(|error| {
                tracing::warn!("Could not take a step of an escalation: {error}");
                QUIET
            });
            let early = async {
                // A new decision may have an earlier deadline than any other; often many come close together.
                wait_for_signal(changed.as_mut()).await;
                tokio::time::sleep(GATHER).await;
            };
            tokio::select! {
                () = tokio::time::sleep(nap.min(until_step).min(LONGEST_NAP)) => {}
                () = early => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Signs the log within a second after it has grown, or once it has grown by much, until `stop` is set; then once
    /// more. Even if nothing happens, it checks at intervals whether the log is still the one that was signed.
    pub async fn run_checkpoints(self, mut stop: watch::Receiver<bool>) {
        let Some(mut steps) = self.hub.as_ref().map(|hub| hub.steps()) else { return };
        let whole = tokio::spawn(self.clone().check_whole_log());
        // An error may first be found by a commit, and is reported here.
        let mut said = false;
        report(self.finish_rotation().await);
        while !*stop.borrow() {
            steps.mark_unchanged();
            report(self.finish_begun_rotation().await);
            self.sign().await;
            match (said, self.unvouched()) {
                (false, Some(fault)) => {
                    let way = how_to_continue(&fault);
                    tracing::error!("Signing the log has stopped: {fault}. Nothing is signed until {way}");
                    said = true;
                }
                (true, None) => {
                    tracing::info!("Signing the log has resumed");
                    said = false;
                }
                _ => {}
            }
            let grown = async {
                let _ = steps.changed().await;
                if said && self.unvouched().is_some() {
                    // Finding an admin's statement reads the whole log, which is too much each time that it grows.
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                _ = tokio::time::timeout(LONGEST_NAP, grown) => {}
                () = self.grown() => {}
                _ = stop.changed() => break,
            }
        }
        whole.abort();
        self.sign().await;
    }

    /// Waits until the log ends elsewhere than where it was signed, whichever process wrote: an occasional check costs
    /// less than being notified of every commit.
    async fn grown(&self) {
        let Some(signer) = &self.signer else { return std::future::pending().await };
        loop {
            tokio::time::sleep(QUIET).await;
            let (Ok(head), Ok(store)) = (self.store.head().await, self.store.identity().await) else {
                self.leave_behind();
                continue;
            };
            let known = signer.remembered(&store).ok().flatten().map_or(0, |remembered| remembered.seq);
            if self.unvouched().is_none() && head.seq != known {
                return;
            }
        }
    }

    /// Checks the log from its first event: at the start, every hour, and when events about something differ from those
    /// seen before. So a change to what is already signed is noticed, and reported even if it is undone.
    async fn check_whole_log(self) {
        if self.signer.is_none() {
            return;
        }
        let mut every = tokio::time::interval(WHOLE);
        let mut pause = Duration::ZERO;
        loop {
            let vouching = self.store.vouching();
            let missed = async {
                tokio::time::sleep(pause).await;
                vouching.missed().await;
            };
            tokio::select! {
                _ = every.tick() => pause = Duration::ZERO,
                // A check takes long; if the last one found nothing, the next one is delayed.
                () = missed, if vouching.tampered().is_none() => pause = LONGEST_NAP,
            }
            match self.verify_log().await {
                Ok(report) => {
                    let accepted_at = report.accepted.last().map_or(0, |word| word.at.as_millis());
                    if let Some(fault) = report.faults.into_iter().next() {
                        let way = how_to_continue(&fault);
                        tracing::error!(
                            "The log is not what was recorded: {fault}. Nothing is signed until {way}"
                        );
                        self.store.vouching().found_in_whole(fault, accepted_at);
                    }
                }
                Err(error) => tracing::warn!("Could not check the log: {error}"),
            }
        }
    }

    pub(crate) async fn sign(&self) {
        if let Err(error) = vouch::sign(self.store.as_ref(), self.clock.now()).await {
            tracing::warn!("Could not sign the log: {error}");
            self.leave_behind();
        }
    }

    /// Remembers commits that cannot be signed, since the store may come back without them.
    fn leave_behind(&self) {
        if let Some(signer) = &self.signer
            && let Err(error) = self.store.vouching().leave_behind(signer.as_ref())
        {
            tracing::warn!("Could not remember what is not signed: {error}");
        }
    }

    /// Returns why no key vouches for what is written now, if so.
    pub fn unvouched(&self) -> Option<LogFault> {
        self.store.vouching().broken()
    }

    /// Records overdue decisions; returns how long it is until the next deadline.
    async fn fire_deadlines(&self) -> Result<Duration> {
        let Some(next) = self.store.next_deadline().await? else { return Ok(LONGEST_NAP) };
        if let Some(first) = self.store.due(next, 1).await?.first() {
            self.record_step(*first).await?;
        }
        let now = self.now().await?;
        if next > now {
            return Ok(Duration::from_millis(next.since(now).as_millis().unsigned_abs()));
        }
        let expired = self.expire_due().await?;
        Ok(if expired > 0 { Duration::ZERO } else { QUIET })
    }
}

/// Returns what is needed to continue signing.
fn how_to_continue(fault: &LogFault) -> &'static str {
    match fault.what {
        FaultKind::Stranger { .. } => {
            "that key is trusted here, if it is one of yours (hold key trust), or an admin runs hold audit accept"
        }
        FaultKind::Revoked { .. } => {
            "this node has another key: stop it, remove keys/signing.key, start it, and have the others trust the new key"
        }
        _ => "an admin runs hold audit accept",
    }
}

/// Reports what became of a rotation that was cut off.
fn report(finished: Result<Option<RotatedKey>>) {
    match finished {
        Ok(Some(done)) => tracing::info!("Finished a rotation that was cut off: {done}"),
        Ok(None) => {}
        Err(error) => tracing::warn!("Could not finish a rotation that was cut off: {error}"),
    }
}

async fn wait_for_signal(signal: Option<&mut watch::Receiver<()>>) {
    if let Some(signal) = signal
        && signal.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}
