//! `GET /v1/decisions/{id}/wait`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{Decision, DecisionId, Span};
use holdpoint_engine::api::HoldParams;

use crate::api::App;
use crate::api::caller::{Caller, ENDED, unknown};
use crate::api::path::Path;
use crate::api::problem::Answer;
use crate::api::query::{self, Query};

pub(in crate::api) async fn wait(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<HoldParams>,
) -> Answer<Json<Decision>> {
    let id = caller.names(&app, &id).await?;
    Ok(Json(hold(&app, &caller, id, params.timeout.unwrap_or(Span::from_secs(30))).await?))
}

/// Holds; ends early, with the decision as it stands, when the server is told to stop, and with nothing when the
/// credential ends.
pub(super) async fn hold(app: &App, caller: &Caller, id: DecisionId, params: Span) -> Answer<Decision> {
    let began = app.engine.clock();
    let held = app.held.register(&caller.0, caller.1);
    let decision = tokio::select! {
        () = held.over() => return Err(unknown(ENDED)),
        settled = app.engine.wait_for(&caller.0, id, Some(query::hold(params))) => settled?,
        () = app.stops() => app.engine.wait_for(&caller.0, id, Some(std::time::Duration::ZERO)).await?,
    };
    // What was settled before anybody held woke nobody.
    if decision.settled_at.is_some_and(|at| at >= began) {
        app.metrics.woken(&decision, app.engine.clock());
    }
    Ok(decision)
}
