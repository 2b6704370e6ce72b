//! `GET /metrics`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use holdpoint_core::Status;

use crate::http::app::App;
use crate::http::metrics::Gauges;
use crate::http::problem::HandlerResult;

pub(super) async fn show(State(app): State<Arc<App>>) -> HandlerResult<impl IntoResponse> {
    let store = app.engine.store();
    let now = app.engine.now().await?;
    let oldest_secs = store.oldest_pending(now).await?.map_or(0, |asked| now.since(asked).as_millis() / 1000);
    let counts = store.counts(None).await?;
    let readings = Gauges {
        pending: counts.iter().find(|(status, _)| *status == Status::Pending).map_or(0, |(_, count)| *count),
        oldest_secs,
        parked: app.engine.parked(),
        backlog: store.backlog().await?,
        is_unvouched: app.engine.unvouched().is_some(),
    };
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], app.metrics.write(&readings)))
}
