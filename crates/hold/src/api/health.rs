//! Whether the server is there, and whether it can work.

use std::sync::Arc;

use axum::extract::State;

use super::App;
use super::problem::{Answer, Failed};

pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Ready while the store can be read and nobody has told the server to stop.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Answer<&'static str> {
    if *app.stopping.borrow() {
        return Err(Failed::new(503, "stopping", "the server is stopping"));
    }
    app.engine.store().head().await?;
    Ok("ready\n")
}
