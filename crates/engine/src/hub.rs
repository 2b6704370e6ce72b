//! A server's waiters: each is woken by its own decision, from memory, right after the commit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdpoint_core::{Decision, DecisionId, Status};
use holdpoint_store::{Commit, Store};
use tokio::sync::{mpsc, oneshot, watch};

use crate::auth::TokenCache;
use crate::error::Result;

/// How many events are read at a time to find what another process changed.
const EVENTS: usize = 500;
/// How long to wait before that is tried again.
const AGAIN: Duration = Duration::from_millis(200);

/// All waiters of a server.
#[derive(Debug)]
pub(crate) struct Hub {
    waiters: Mutex<HashMap<DecisionId, Vec<oneshot::Sender<Arc<Decision>>>>>,
    head: watch::Sender<i64>,
    /// Changes when a decision with a deadline or an escalation may have come.
    deadlines: watch::Sender<()>,
    token_cache: Arc<TokenCache>,
}

impl Hub {
    /// Makes a hub and the task that keeps it going until the store is gone.
    pub(crate) async fn start(store: Arc<dyn Store>, token_cache: Arc<TokenCache>) -> Result<Arc<Self>> {
        let commits = store.feed()?;
        let seq = store.head().await?.seq;
        let (waiters, head, deadlines) = (Mutex::default(), watch::Sender::new(seq), watch::Sender::new(()));
        let hub = Arc::new(Self { waiters, head, deadlines, token_cache });
        let (task_hub, weak) = (Arc::clone(&hub), Arc::downgrade(&store));
        drop(store);
        tokio::spawn(async move { task_hub.run(weak, commits, seq).await });
        Ok(hub)
    }

    /// Subscribes to a decision. Look at the store after this, so that nothing between is missed.
    pub(crate) fn subscribe(&self, id: DecisionId) -> Waiter<'_> {
        let (sender, receiver) = oneshot::channel();
        self.lock().entry(id).or_default().push(sender);
        Waiter { hub: self, id, receiver }
    }

    /// Returns a signal that carries the end of the log.
    pub(crate) fn head(&self) -> watch::Receiver<i64> {
        self.head.subscribe()
    }

    /// Returns a signal that changes when a decision with a deadline or an escalation may have come.
    pub(crate) fn deadlines(&self) -> watch::Receiver<()> {
        self.deadlines.subscribe()
    }

    /// Returns how many wait.
    pub(crate) fn parked(&self) -> usize {
        self.lock().values().map(Vec::len).sum()
    }

    async fn run(
        &self,
        store: std::sync::Weak<dyn Store>,
        mut commits: mpsc::UnboundedReceiver<Commit>,
        seq: i64,
    ) {
        let mut seen = seq;
        while let Some(commit) = commits.recv().await {
            let mut timed = commit.foreign;
            for decision in commit.changed {
                if decision.status != Status::Pending {
                    self.wake(decision.id, &decision);
                } else if decision.deadline.is_some() || decision.escalates_at().is_some() {
                    timed = true;
                }
            }
            for id in commit.removed {
                // The waiter finds its channel closed, and looks for itself.
                self.lock().remove(&id);
            }
            if commit.foreign && self.caught_up(&store, seen, commit.seq).await.is_none() {
                return;
            }
            if timed {
                self.deadlines.send_replace(());
            }
            seen = seen.max(commit.seq);
            self.head.send_replace(seen);
        }
    }

    /// Reads what another process wrote until it could be read: going on without it would leave its waiters asleep.
    /// Nothing if the store is gone.
    async fn caught_up(&self, store: &std::sync::Weak<dyn Store>, after: i64, until: i64) -> Option<()> {
        loop {
            let read = self.catch_up(store.upgrade()?.as_ref(), after, until).await;
            let Err(error) = read else { return Some(()) };
            tracing::warn!("Could not read what another process wrote, and try again: {error}");
            self.token_cache.changed();
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Wakes those whose decision another process changed.
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
                    .for_each(|link| store.vouching().saw(link));
                self.token_cache.changed();
            }
            // The waiters find their channels closed, and look for themselves: a row alone tells nobody anything.
            let mut waiters = self.lock();
            for id in traces.iter().filter_map(|trace| trace.decision) {
                waiters.remove(&id);
            }
        }
        Ok(())
    }

    fn wake(&self, id: DecisionId, decision: &Arc<Decision>) {
        for waiter in self.lock().remove(&id).unwrap_or_default() {
            let _ = waiter.send(Arc::clone(decision));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DecisionId, Vec<oneshot::Sender<Arc<Decision>>>>> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A registered waiter; dropping it unregisters.
pub(crate) struct Waiter<'a> {
    hub: &'a Hub,
    id: DecisionId,
    receiver: oneshot::Receiver<Arc<Decision>>,
}

impl Waiter<'_> {
    /// Holds until the decision is settled; nothing if the time was up or the decision is gone.
    pub(crate) async fn settled(mut self, timeout: Duration) -> Option<Arc<Decision>> {
        tokio::time::timeout(timeout, &mut self.receiver).await.ok()?.ok()
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.receiver.close();
        let mut waiters = self.hub.lock();
        if let Some(line) = waiters.get_mut(&self.id) {
            line.retain(|waiter| !waiter.is_closed());
            if line.is_empty() {
                waiters.remove(&self.id);
            }
        }
    }
}
