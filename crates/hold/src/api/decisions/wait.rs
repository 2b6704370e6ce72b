//! `GET /v1/decisions/{id}/wait`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::{DecisionId, Span};
use holdpoint_engine::VisibleDecision;
use holdpoint_engine::api::HoldParams;

use crate::http::app::App;
use crate::http::caller::{Caller, ENDED, unknown};
use crate::http::path::Path;
use crate::http::problem::HandlerResult;
use crate::http::query;
use crate::http::query::Query;
use crate::http::reply::DecisionReply;

pub(in crate::api) async fn wait(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<HoldParams>,
) -> HandlerResult<DecisionReply> {
    let id = caller.names(&app, &id).await?;
    Ok(DecisionReply(hold(&app, &caller, id, params.timeout.unwrap_or(Span::from_secs(30))).await?))
}

/// Holds the request. Ends early with the decision as it stands when the server is told to stop, and with nothing
/// when the credential expires.
pub(in crate::api) async fn hold(
    app: &App,
    caller: &Caller,
    id: DecisionId,
    params: Span,
) -> HandlerResult<VisibleDecision> {
    app.held.check_room(caller.1)?;
    let request = app.held.register(&caller.0, caller.1);
    let held = tokio::select! {
        () = request.over() => return Err(unknown(ENDED)),
        held = app.engine.hold_for(&caller.0, id, Some(query::hold(params))) => held?,
        // Boxed because it runs once: the many held requests need not reserve room for it.
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

    /// What is needed only once, such as a read from the store, must not take up room in thousands of held requests.
    #[test]
    fn a_request_that_holds_keeps_little() {
        assert!(size_of_future(wait) <= 2 << 10, "{} bytes", size_of_future(wait));
    }
}
