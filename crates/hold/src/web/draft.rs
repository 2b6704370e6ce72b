//! Keeps what someone has typed so far, so that it survives a closed lid.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use holdpoint_core::{Status, form};
use holdpoint_engine::Client as _;

use super::filled::Filled;
use super::form::Posted;
use super::read;
use super::stopped::{Reply, Stopped};
use crate::api::App;

pub(super) async fn keep(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let Posted { visitor, form: typed } = posted.ours()?;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    if decision.status != Status::Pending || typed.get("digest") != decision.digest {
        return Err(Stopped::new(409, "stale", "the decision is not what it was"));
    }
    let said = read::some(&decision, &Filled::of_pairs(&typed.0), app.engine.now().await?);
    // Half a date is no date yet: only what is right so far is kept.
    let values = form::accept_draft(&decision.fields, &said.values).values;
    client.draft(decision.id, values).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
