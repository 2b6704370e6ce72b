//! A server's waiters: each is woken by its own decision, from memory, by the thread that committed it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::{DecisionId, Lane, Status};
use holdpoint_store::{ChangedDecision, Commit, Listener, SharedDecision, Store};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::auth::TokenCache;
use crate::error::Result;

/// How many events are read at a time to find what another process changed.
const EVENTS: usize = 500;
/// How long to wait before a failed read is tried again.
const AGAIN: Duration = Duration::from_millis(200);
/// How many decisions are remembered between asking and waiting.
const RECENT: usize = 4_096;
/// Decisions that are longer than this, in bytes, are read when they are needed.
const SHORT: i64 = 8 << 10;
/// The step of the log at which followers that need not know of each commit are notified.
const STEP: i64 = 1_000;

/// The waiters of a server.
#[derive(Debug)]
pub(crate) struct Hub {
    parked: Mutex<ParkedWaiters>,
    /// Where the log ended at the start: earlier events have no waiters.
    begins: i64,
    head: watch::Sender<i64>,
    /// The end of the log in steps of [`STEP`].
    steps: watch::Sender<i64>,
    /// Changes when there may be a new decision with a deadline or an escalation.
    deadlines: watch::Sender<()>,
    /// Change when there may be new rows in a lane of the outbox.
    lanes: Mutex<HashMap<Lane, watch::Sender<i64>>>,
    jobs: JobLogCursor,
    token_cache: Arc<TokenCache>,
}

#[derive(Debug, Default)]
struct ParkedWaiters {
    waiters: HashMap<DecisionId, Vec<oneshot::Sender<SettledDecision>>>,
    /// The last version that this process wrote of each pending decision.
    recent: HashMap<DecisionId, SharedDecision>,
}

/// A decision that was settled while a caller held on it.
#[derive(Debug)]
pub(crate) struct SettledDecision {
    pub(crate) decision: SharedDecision,
    /// When deciding on it began.
    pub(crate) begun: Option<Instant>,
}

/// From where the log must be read for events of jobs.
#[derive(Debug, Default)]
pub(crate) struct JobLogCursor {
    after: Mutex<Option<i64>>,
    told: Notify,
}

/// The hub as the store knows it. Once the store is dropped, so is this, and the hub's task ends.
struct StoreListener {
    hub: Arc<Hub>,
    foreign: mpsc::UnboundedSender<(i64, i64)>,
}

impl Listener for StoreListener {
    fn committed(&self, commit: Commit) {
        let after = commit.after.max(self.hub.begins);
        if commit.of_jobs {
            self.hub.jobs.note(after);
        }
        if commit.foreign {
            let _ = self.foreign.send((after, commit.seq));
        }
        self.hub.own(commit);
    }
}

impl Hub {
    /// Makes a hub, and a task that reads the events of other processes until the store is dropped.
    pub(crate) async fn start(store: Arc<dyn Store>, token_cache: Arc<TokenCache>) -> Result<Arc<Self>> {
        let begins = store.head().await?.seq;
        let hub = Arc::new(Self {
            parked: Mutex::default(),
            begins,
            head: watch::Sender::new(begins),
            steps: watch::Sender::new(begins / STEP),
            deadlines: watch::Sender::new(()),
            lanes: Mutex::default(),
            jobs: JobLogCursor::default(),
            token_cache,
        });
        let (foreign, commits) = mpsc::unbounded_channel();
        store.subscribe(Arc::new(StoreListener { hub: Arc::clone(&hub), foreign }))?;
        let (task_hub, weak) = (Arc::clone(&hub), Arc::downgrade(&store));
        drop(store);
        tokio::spawn(async move { task_hub.run(weak, commits).await });
        Ok(hub)
    }

    /// Subscribes to a decision. Read the decision after subscribing, so that no change in between is missed.
    pub(crate) fn subscribe(&self, id: DecisionId) -> Waiter<'_> {
        let (sender, receiver) = oneshot::channel();
        self.lock().waiters.entry(id).or_default().push(sender);
        Waiter { hub: self, id, receiver }
    }

    /// Returns this process's last write of a pending decision, unless another process is known to have changed it. A
    /// subscriber is notified of changes that are not known yet.
    pub(crate) fn recall(&self, id: DecisionId) -> Option<SharedDecision> {
        self.lock().recent.get(&id).cloned()
    }

    /// Returns a signal that carries the end of the log.
    pub(crate) fn head(&self) -> watch::Receiver<i64> {
        self.head.subscribe()
    }

    /// Returns a signal that changes each time the log has grown by [`STEP`].
    pub(crate) fn steps(&self) -> watch::Receiver<i64> {
        self.steps.subscribe()
    }

    /// Returns a signal that changes when there may be a new decision with a deadline or an escalation.
    pub(crate) fn deadlines(&self) -> watch::Receiver<()> {
        self.deadlines.subscribe()
    }

    /// Returns a signal that changes when there may be new rows in a lane of the outbox.
    pub(crate) fn lane(&self, lane: Lane) -> watch::Receiver<i64> {
        self.lanes().entry(lane).or_default().subscribe()
    }

    /// Returns the notifications about jobs.
    #[cfg(feature = "agents")]
    pub(crate) fn jobs(&self) -> &JobLogCursor {
        &self.jobs
    }

    /// Returns the number of waiters.
    pub(crate) fn parked(&self) -> usize {
        self.lock().waiters.values().map(Vec::len).sum()
    }

    /// Wakes the waiters of decisions that a commit of this process settled.
    fn own(&self, commit: Commit) {
        let mut timed = false;
        for ChangedDecision { decision, bytes } in commit.changed {
            let settled = {
                let mut parked = self.lock();
                if decision.status == Status::Pending {
                    timed |= decision.deadline.is_some() || decision.escalates_at().is_some();
                    parked.remember(&decision, bytes);
                    continue;
                }
                parked.recent.remove(&decision.id);
                parked.waiters.remove(&decision.id)
            };
            for waiter in settled.unwrap_or_default() {
                let _ = waiter.send(SettledDecision { decision: decision.clone(), begun: commit.begun });
            }
        }
        for id in commit.removed {
            self.lock().forget(id);
        }
        if timed {
            self.deadlines.send_replace(());
        }
        if !commit.lanes.is_empty() || commit.foreign {
            // Another process does not say which lanes it has added to.
            let added = |lane: &Lane| commit.foreign || commit.lanes.contains(lane);
            for (_, signal) in self.lanes().iter().filter(|(lane, _)| added(lane)) {
                signal.send_replace(commit.seq);
            }
        }
        if !commit.foreign {
            self.reached(commit.seq);
        }
    }

    async fn run(&self, store: std::sync::Weak<dyn Store>, mut commits: mpsc::UnboundedReceiver<(i64, i64)>) {
        while let Some((after, until)) = commits.recv().await {
            if self.caught_up(&store, after, until).await.is_none() {
                return;
            }
            self.deadlines.send_replace(());
            self.reached(until);
        }
    }

    /// Reads the events of another process, retrying until it succeeds: skipping them would leave their waiters asleep.
    /// Returns none if the store is gone.
    async fn caught_up(&self, store: &std::sync::Weak<dyn Store>, after: i64, until: i64) -> Option<()> {
        loop {
            let read = self.catch_up(store.upgrade()?.as_ref(), after, until).await;
            let Err(error) = read else { return Some(()) };
            tracing::warn!("Could not read what another process wrote; trying again: {error}");
            self.token_cache.changed();
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Wakes the waiters of decisions that another process changed.
    async fn catch_up(&self, store: &dyn Store, mut after: i64, until: i64) -> Result<()> {
        while after < until {
            let traces = store.traces(after, EVENTS).await?;
            let Some(last) = traces.last() else { return Ok(()) };
            after = last.seq;
            let tells = |start: &&str| traces.iter().any(|trace| trace.tag.starts_with(*start));
            if ["token:", "person:", "auth:"].iter().any(tells) {
                let first = traces.first().map_or(after, |trace| trace.seq);
                store
                    .links(first - 1, traces.len())
                    .await?
                    .iter()
                    .for_each(|link| store.vouching().note_seen(link));
                self.token_cache.changed();
            }
            let mut parked = self.lock();
            for id in traces.iter().filter_map(|trace| trace.decision) {
                parked.forget(id);
            }
        }
        Ok(())
    }

    /// Notifies followers of the new end of the log.
    fn reached(&self, seq: i64) {
        let to = |last: &mut i64, now: i64| {
            let grown = now > *last;
            *last = now.max(*last);
            grown
        };
        self.head.send_if_modified(|last| to(last, seq));
        self.steps.send_if_modified(|last| to(last, seq / STEP));
    }

    fn lanes(&self) -> MutexGuard<'_, HashMap<Lane, watch::Sender<i64>>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, ParkedWaiters> {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ParkedWaiters {
    /// Remembers a pending decision.
    fn remember(&mut self, decision: &SharedDecision, bytes: i64) {
        if bytes > SHORT {
            self.recent.remove(&decision.id);
            return;
        }
        if self.recent.len() >= RECENT {
            self.recent.clear();
        }
        self.recent.insert(decision.id, decision.clone());
    }

    /// Forgets a decision. Its waiters find their channels closed, and read it themselves: a row alone
    /// is no proof of an outcome.
    fn forget(&mut self, id: DecisionId) {
        self.recent.remove(&id);
        self.waiters.remove(&id);
    }
}

impl JobLogCursor {
    /// Waits until something may have happened to jobs, and returns the position in the log to read from.
    #[cfg(feature = "agents")]
    pub(crate) async fn after(&self) -> i64 {
        loop {
            let told = self.told.notified();
            if let Some(after) = self.lock().take() {
                return after;
            }
            told.await;
        }
    }

    /// Marks a position to be read again, together with later events.
    pub(crate) fn again_from(&self, place: i64) {
        let mut after = self.lock();
        *after = Some(after.map_or(place, |after| after.min(place)));
    }

    fn note(&self, after: i64) {
        self.again_from(after);
        self.told.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Option<i64>> {
        self.after.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A registered waiter; dropping it unregisters.
pub(crate) struct Waiter<'a> {
    hub: &'a Hub,
    id: DecisionId,
    receiver: oneshot::Receiver<SettledDecision>,
}

impl Waiter<'_> {
    /// Holds until the decision is settled; returns none if the time was up or the decision is gone.
    pub(crate) async fn settled(mut self, timeout: Duration) -> Option<SettledDecision> {
        tokio::time::timeout(timeout, &mut self.receiver).await.ok()?.ok()
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.receiver.close();
        let mut parked = self.hub.lock();
        if let Some(line) = parked.waiters.get_mut(&self.id) {
            line.retain(|waiter| !waiter.is_closed());
            if line.is_empty() {
                parked.waiters.remove(&self.id);
            }
        }
    }
}
