//! `GET /v1/decisions/{id}/wait`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::{Decision, DecisionId, Span};
use holdpoint_engine::api::HoldParams;

use crate::api::App;
use crate::api::caller::{Caller, ENDED, unknown};
use crate::api::path::Path;
use crate::api::problem::Answer;
use crate::api::query::{self, Query};
use crate::api::reply::Reply;

pub(in crate::api) async fn wait(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<HoldParams>,
) -> Answer<Reply<Arc<Decision>>> {
    let id = caller.names(&app, &id).await?;
    Ok(Reply(hold(&app, &caller, id, params.timeout.unwrap_or(Span::from_secs(30))).await?))
}

/// Holds; ends early, with the decision as it stands, when the server is told to stop, and with nothing when the
/// credential ends.
pub(in crate::api) async fn hold(
    app: &App,
    caller: &Caller,
    id: DecisionId,
    params: Span,
) -> Answer<Arc<Decision>> {
    app.held.check_room(caller.1)?;
    let request = app.held.register(&caller.0, caller.1);
    let held = tokio::select! {
        () = request.over() => return Err(unknown(ENDED)),
        held = app.engine.hold_for(&caller.0, id, Some(query::hold(params))) => held?,
        // Happens once: thousands that hold need not keep room for it.
        () = app.stops() => Box::pin(app.engine.hold_for(&caller.0, id, Some(std::time::Duration::ZERO))).await?,
    };
    if let Some(after) = held.woken_after {
        app.metrics.woken(after);
    }
    Ok(held.decision)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of_future<A, B, C, D, F>(_: impl Fn(A, B, C, D) -> F) -> usize {
        size_of::<F>()
    }

    /// What is needed once, such as a look at the store, must not be kept room for by thousands that only hold.
    #[test]
    fn a_request_that_holds_keeps_little() {
        assert!(size_of_future(wait) <= 2 << 10, "{} bytes", size_of_future(wait));
    }
}
