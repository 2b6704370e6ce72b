//! Whether the server is there, and whether it can work.

use std::sync::Arc;

use axum::extract::State;

use super::App;
use super::problem::{Answer, Failed};

/// Says that the server is there.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "getHealth",
    tag = "health",
    security(()),
    responses((status = 200, description = "The server is there", body = String))
)]
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Ready while the store can be read and written and nobody has told the server to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "getReadiness",
    tag = "health",
    security(()),
    responses((status = 200, description = "The server can work", body = String))
)]
pub(super) async fn ready(State(app): State<Arc<App>>) -> Answer<String> {
    if *app.stopping.borrow() {
        return Err(Failed::new(503, "stopping", "the server is stopping"));
    }
    app.engine.store().ready().await?;
    // Asks and answers go on; whether anybody vouches for them is another question.
    Ok(match app.engine.unvouched() {
        None => "ready\n".to_owned(),
        Some(fault) => format!("ready\nunvouched: {fault}\n"),
    })
}
