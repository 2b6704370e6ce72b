//! How many characters of an id are needed to name it, for clients that print lists.

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::{DecisionId, Refusal};
use holdpoint_engine::Client as _;
use holdpoint_engine::api::decisions::PrefixParams;

use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::http::query::Query;
use crate::http::reply::Reply;

const MOST: usize = 1000;

pub(super) async fn lengths(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<PrefixParams>,
) -> HandlerResult<Reply<Vec<usize>>> {
    let ids: Result<Vec<DecisionId>, String> =
        params.ids.split(',').filter(|id| !id.is_empty()).map(str::parse).collect();
    let ids = ids.map_err(|why| Refusal::invalid("ids", why))?;
    if ids.len() > MOST {
        return Err(Refusal::invalid("ids", format!("at most {MOST} ids are allowed")).into());
    }
    Ok(Reply(caller.client(&app).prefix_lengths(&ids).await?))
}
