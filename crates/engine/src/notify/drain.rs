//! Draining the outbox: rows are claimed under a lease, sent, and tried again until they arrive or it is too late.
//!
//! Updates of messages have a separate lane, so that they do not delay questions, and the newest is claimed first.
//! Claims go in turn over projects and targets, and every target has its own space: a burst, or a receiver that hangs,
//! delays no other receiver. Results are recorded in batches.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Lane, Span};
use holdpoint_store::{Claim, ClaimOrder, Delivery, OutboxEntry, Rotation, Route, Target};
use tokio::sync::watch;
use tokio::task::{Id, JoinSet};

use super::notices::OpenChannels;
use crate::auth::random;
use crate::engine::Engine;
use crate::error::Result;

/// The lanes that a server drains. Rows that cannot be sent from here are left to a process that can send them.
const LANES: &[Lane] = if cfg!(feature = "notify") {
    &[
        Lane::Hook,
        Lane::Webhook,
        Lane::Callback,
        Lane::Mail,
        Lane::Ntfy,
        Lane::Telegram,
        Lane::Slack,
        Lane::Webpush,
        Lane::Follow,
        Lane::Opinion,
    ]
} else {
    &[Lane::Hook]
};
/// How many rows for one target are sent at once: a target that hangs must not block the others.
const TO_ONE: usize = 4;
/// How many rows of one lane are sent at once, at least.
const AT_ONCE: usize = 8;
/// How often a lane is checked for rows that are due again: another process may have added them.
const LOOK: Duration = Duration::from_secs(1);
/// How much longer the lease of a row is than the time to send it.
const MARGIN: Duration = Duration::from_secs(5);

impl Engine {
    /// Sends the rows of the outbox until `stop` is set, and then finishes those in progress.
    pub async fn run_outbox(self, notices: OpenChannels, stop: watch::Receiver<bool>) {
        let notices = Arc::new(notices);
        let drain = |lane| tokio::spawn(self.clone().run_lane(lane, Arc::clone(&notices), stop.clone()));
        #[cfg_attr(not(feature = "notify"), expect(unused_mut, reason = "nothing listens"))]
        let mut tasks: Vec<_> = LANES.iter().copied().map(drain).collect();
        #[cfg(feature = "notify")]
        tasks.extend([
            tokio::spawn(self.clone().run_digests(Arc::clone(&notices), stop.clone())),
            tokio::spawn(self.clone().run_telegram(Arc::clone(&notices), stop.clone())),
            tokio::spawn(self.clone().run_slack(Arc::clone(&notices), stop.clone())),
        ]);
        for task in tasks {
            let _ = task.await;
        }
    }

    /// Runs the waiting hooks, each once; returns messages about what went wrong. No failure changes a decision.
    pub async fn run_hooks(&self) -> Result<Vec<String>> {
        let notices = self.own_notices();
        let mut drain = Drain::new(Lane::Hook)?;
        let mut failures = Vec::new();
        loop {
            let Some(entry) = self.take(&mut drain, 1, &notices).await?.pop() else {
                return Ok(failures);
            };
            let sent = self.send(&notices, &entry).await?;
            self.store.deliver(&drain.lease, vec![(entry.id, sent.delivery)]).await?;
            failures.extend(sent.failure.map(|failure| format!("{}: {failure}", entry.target)));
        }
    }

    async fn run_lane(self, lane: Lane, notices: Arc<OpenChannels>, mut stop: watch::Receiver<bool>) {
        let (Ok(mut changed), Ok(mut drain)) = (self.lane_signal(lane), Drain::new(lane)) else { return };
        // If the settings have no such channel, only other processes add rows: an occasional check is enough for those.
        let orders =
            |route: &Route| route.lane == lane || lane == Lane::Follow && route.target == Target::Messages;
        let ordered = self.routes().iter().any(orders) || (lane == Lane::Callback && notices.count(lane) > 0);
        // Every target has its own space.
        let most = AT_ONCE.max(TO_ONE * notices.count(lane));
        loop {
            let stopping = *stop.borrow_and_update();
            let free = most.saturating_sub(drain.under_way.len());
            let mut more = false;
            if !stopping && free > 0 {
                match self.take(&mut drain, free, &notices).await {
                    Ok(entries) => {
                        more = entries.len() == free;
                        for entry in entries {
                            let (engine, notices) = (self.clone(), Arc::clone(&notices));
                            let target = entry.target.clone();
                            let task = drain
                                .under_way
                                .spawn(async move { engine.send_and_log(&notices, &entry).await });
                            drain.targets.insert(task.id(), target);
                        }
                    }
                    Err(error) => tracing::warn!("Could not look into the outbox: {error}"),
                }
            }
            // Only now: nobody waits for this, but what was claimed is for somebody.
            self.record(&mut drain).await;
            if stopping && drain.under_way.is_empty() {
                return;
            }
            if more {
                continue;
            }
            tokio::select! {
                () = drain.next_sent(), if !drain.under_way.is_empty() => {}
                _ = changed.changed(), if ordered && !stopping => {}
                () = tokio::time::sleep(LOOK), if !stopping => {}
                _ = stop.changed(), if !stopping => {}
            }
        }
    }

    /// Claims rows that are due, for longer than sending them may take.
    async fn take(
        &self,
        drain: &mut Drain,
        limit: usize,
        notices: &OpenChannels,
    ) -> Result<Vec<OutboxEntry>> {
        let now = self.now().await?;
        let lasts = i64::try_from((notices.timeout(drain.lane) + MARGIN).as_millis()).unwrap_or(i64::MAX);
        let until = now.checked_add(Span::from_millis(lasts)).unwrap_or(now);
        let pick = ClaimOrder::InTurn { each: TO_ONE, busy: drain.busy(), turns: drain.turns.clone() };
        let claim = Claim { lane: drain.lane, pick, lease: drain.lease.clone(), until, now, limit };
        let entries = self.store.claim(claim).await?;
        for entry in &entries {
            drain.turns.took(entry);
        }
        Ok(entries)
    }

    /// Records the results of all rows that were sent, at once.
    async fn record(&self, drain: &mut Drain) {
        if drain.sent.is_empty() {
            return;
        }
        let deliveries = std::mem::take(&mut drain.sent);
        let count = deliveries.len();
        if let Err(error) = self.store.deliver(&drain.lease, deliveries).await {
            // They are still leased, so they are sent again once the lease ends.
            let lane = drain.lane.name();
            tracing::warn!("Could not record the results of {count} {lane} notices: {error}");
        }
    }
}

/// The rows that a process is sending in one lane.
struct Drain {
    lane: Lane,
    lease: String,
    turns: Rotation,
    under_way: JoinSet<Option<(i64, Delivery)>>,
    targets: HashMap<Id, String>,
    /// The results that are not recorded yet.
    sent: Vec<(i64, Delivery)>,
}

impl Drain {
    fn new(lane: Lane) -> Result<Self> {
        let (targets, sent) = (HashMap::new(), Vec::new());
        let (lease, turns) = (lease_name()?, Rotation::default());
        Ok(Self { lane, lease, turns, under_way: JoinSet::new(), targets, sent })
    }

    /// Counts the rows in progress, by target.
    fn busy(&self) -> BTreeMap<String, usize> {
        let mut busy = BTreeMap::new();
        for target in self.targets.values() {
            *busy.entry(target.clone()).or_default() += 1;
        }
        busy
    }

    /// Waits for the next result, and collects all that are ready.
    async fn next_sent(&mut self) {
        let mut next = self.under_way.join_next_with_id().await;
        while let Some(sent) = next {
            let (id, delivery) = sent.unwrap_or_else(|broken| (broken.id(), None));
            self.targets.remove(&id);
            self.sent.extend(delivery);
            next = self.under_way.try_join_next_with_id();
        }
    }
}

pub(super) fn lease_name() -> Result<String> {
    Ok(format!("{}-{:016x}", std::process::id(), u64::from_le_bytes(random()?)))
}
