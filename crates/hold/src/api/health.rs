//! Whether the server is up, and whether it can work.

use std::sync::Arc;

use axum::extract::State;

use crate::http::app::App;
use crate::http::problem::{HandlerError, HandlerResult};

pub(super) async fn alive() -> &'static str {
    "ok\n"
}

pub(super) async fn ready(State(app): State<Arc<App>>) -> HandlerResult<String> {
    if *app.stopping.borrow() {
        return Err(HandlerError::new(503, "stopping", "the server is stopping"));
    }
    app.engine.store().ready().await?;
    // Questions and answers still work; whether the log is vouched for is reported separately.
    Ok(match app.engine.unvouched() {
        None => "ready\n".to_owned(),
        Some(fault) => format!("ready\nunvouched: {fault}\n"),
    })
}
