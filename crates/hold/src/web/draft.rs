//! Keeps what someone has typed so far, so that it survives a closed lid.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use holdpoint_core::Status;
use holdpoint_engine::Client as _;

use super::form::Posted;
use super::meanwhile;
use super::stopped::{Reply, Stopped};
use crate::api::App;

pub(super) async fn keep(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let Posted { visitor, form: typed } = posted.ours()?;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    if decision.status != Status::Pending || typed.get("digest") != decision.digest {
        return Err(Stopped::new(409, "stale", "the decision is not what it was"));
    }
    let values = meanwhile::joined(&decision, &typed, app.engine.now().await?);
    if values != decision.draft {
        client.draft(decision.id, values).await?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
