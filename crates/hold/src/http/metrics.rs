//! Metrics for Prometheus: what waits, how long, with what outcome, and how fast waiters are woken.

use std::time::Duration;

use holdpoint_core::{Decision, Source, Status};
use holdpoint_store::Backlog;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// All metrics; values that the store knows are read from it on each scrape.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pending: Gauge,
    oldest: Gauge,
    parked: Gauge,
    queued: Gauge,
    dead: Gauge,
    unvouched: Gauge,
    settled: Family<Outcome, Counter>,
    wake: Histogram,
}

/// Values that the store and the engine provide on a scrape.
#[derive(Debug)]
pub(crate) struct Gauges {
    pub(crate) pending: u64,
    pub(crate) oldest_secs: i64,
    pub(crate) parked: usize,
    pub(crate) backlog: Backlog,
    pub(crate) is_unvouched: bool,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    source: String,
    outcome: String,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            pending: Gauge::default(),
            oldest: Gauge::default(),
            parked: Gauge::default(),
            queued: Gauge::default(),
            dead: Gauge::default(),
            unvouched: Gauge::default(),
            settled: Family::default(),
            wake: Histogram::new([
                0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0,
            ]),
        };
        let registry = &mut metrics.registry;
        registry.register("hold_pending", "Decisions that wait", metrics.pending.clone());
        registry.register(
            "hold_oldest_pending_seconds",
            "Age of the decision that waits longest",
            metrics.oldest.clone(),
        );
        registry.register("hold_waiters", "Requests that hold on a decision", metrics.parked.clone());
        registry.register("hold_outbox_queued", "Outbox rows that wait to be sent", metrics.queued.clone());
        registry.register("hold_outbox_dead", "Outbox rows that were given up", metrics.dead.clone());
        registry.register(
            "hold_log_unvouched",
            "1 while signing the log has stopped, because it does not run through what was signed",
            metrics.unvouched.clone(),
        );
        registry.register("hold_settled", "Decisions settled through this server", metrics.settled.clone());
        registry.register(
            "hold_wake_seconds",
            "Time from the start of settling a decision to its waiter being woken, the commit included",
            metrics.wake.clone(),
        );
        metrics
    }

    /// Counts a decision that this process settled.
    pub(crate) fn settled(&self, decision: &Decision) {
        self.settled_as(decision.source, decision.status);
    }

    /// Counts a decision with a source that this process gave a status.
    pub(crate) fn settled_as(&self, source: Source, status: Status) {
        let outcome = Outcome { source: source.name().into(), outcome: status.name().into() };
        self.settled.get_or_create(&outcome).inc();
    }

    /// Records how long after settling began a waiter was woken.
    pub(crate) fn woken(&self, after: Duration) {
        self.wake.observe(after.as_secs_f64());
    }

    /// Renders all metrics, with the store's current values.
    pub(crate) fn write(&self, now: &Gauges) -> String {
        self.pending.set(i64::try_from(now.pending).unwrap_or(i64::MAX));
        self.oldest.set(now.oldest_secs);
        self.parked.set(i64::try_from(now.parked).unwrap_or(i64::MAX));
        self.unvouched.set(i64::from(now.is_unvouched));
        self.queued.set(i64::try_from(now.backlog.queued).unwrap_or(i64::MAX));
        self.dead.set(i64::try_from(now.backlog.dead).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
