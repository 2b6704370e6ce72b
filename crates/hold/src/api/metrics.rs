//! Figures for Prometheus: what waits, how long, with what outcome, and how fast waiters are woken.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use holdpoint_core::{Decision, Status};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::App;
use super::problem::Answer;

/// All figures that are kept; those that the store knows are asked of it when they are read.
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

    /// Counts a decision that was settled here.
    pub(crate) fn settled(&self, decision: &Decision) {
        let outcome =
            Outcome { source: decision.source.name().into(), outcome: decision.status.name().into() };
        self.settled.get_or_create(&outcome).inc();
    }

    /// Counts how long after settling began a waiter was woken.
    pub(crate) fn woken(&self, after: Duration) {
        self.wake.observe(after.as_secs_f64());
    }
}

pub(super) async fn show(State(app): State<Arc<App>>) -> Answer<impl IntoResponse> {
    let store = app.engine.store();
    let now = app.engine.now().await?;
    let oldest = store.oldest_pending(now).await?.map_or(0, |asked| now.since(asked).as_millis() / 1000);
    let counts = store.counts(None).await?;
    let pending = counts.iter().find(|(status, _)| *status == Status::Pending).map_or(0, |(_, count)| *count);
    let metrics = &app.metrics;
    metrics.pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
    metrics.oldest.set(oldest);
    metrics.parked.set(i64::try_from(app.engine.parked()).unwrap_or(i64::MAX));
    metrics.unvouched.set(i64::from(app.engine.unvouched().is_some()));
    let backlog = store.backlog().await?;
    metrics.queued.set(i64::try_from(backlog.queued).unwrap_or(i64::MAX));
    metrics.dead.set(i64::try_from(backlog.dead).unwrap_or(i64::MAX));
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = encode(&mut text, &metrics.registry);
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text))
}
