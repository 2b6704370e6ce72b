//! The log itself and its keys over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_engine::log::{AcceptedLog, LogPath, RotatedKey};
use holdpoint_engine::{Logs as _, SignedHead};
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// Why something is done.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    /// The reason, which stays in the log forever.
    reason: String,
}

/// A body without anything in it.
#[derive(Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Goes on from a log that does not run through what was signed.
#[utoipa::path(
    post,
    path = "/v1/log/accept",
    operation_id = "acceptLog",
    tag = "log",
    request_body = Reason,
    responses((status = 200, description = "What was accepted", body = AcceptedLog))
)]
pub(super) async fn accept(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(Reason { reason }): Body<Reason>,
) -> Answer<Json<AcceptedLog>> {
    Ok(Json(caller.client(&app).accept_log(&reason).await?))
}

/// Which heads are compared.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Heads {
    /// The last event of the earlier head.
    from: i64,
    /// The last event of the later head.
    to: i64,
}

/// Returns the last signed head of the log.
#[utoipa::path(
    get,
    path = "/v1/log/head",
    operation_id = "getLogHead",
    tag = "log",
    responses((status = 200, description = "The head; null if nothing is signed yet", body = Option<SignedHead>))
)]
pub(super) async fn head(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Option<SignedHead>>> {
    Ok(Json(caller.client(&app).log_head().await?))
}

/// Proves that one head of the log is the start of another.
#[utoipa::path(
    get,
    path = "/v1/log/consistency",
    operation_id = "getLogConsistency",
    tag = "log",
    params(Heads),
    responses((status = 200, description = "The proof, as RFC 9162 has it", body = LogPath))
)]
pub(super) async fn consistency(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(Heads { from, to }): Query<Heads>,
) -> Answer<Json<LogPath>> {
    Ok(Json(LogPath { path: caller.client(&app).log_consistency(from, to).await? }))
}

/// Puts a new signing key in the place of the present one.
#[utoipa::path(
    post,
    path = "/v1/keys/rotate",
    operation_id = "rotateKey",
    tag = "log",
    request_body = Nothing,
    responses((status = 200, description = "What became of the key", body = RotatedKey))
)]
pub(super) async fn rotate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(Nothing {}): Body<Nothing>,
) -> Answer<Json<RotatedKey>> {
    Ok(Json(caller.client(&app).rotate_key().await?))
}

/// Says that what a key writes from now on does not count.
#[utoipa::path(
    post,
    path = "/v1/keys/{id}/revoke",
    operation_id = "revokeKey",
    tag = "log",
    params(("id" = String, Path, description = "The key's id")),
    request_body = Reason,
    responses((status = 200, description = "It is revoked", body = Nothing))
)]
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Body(Reason { reason }): Body<Reason>,
) -> Answer<Json<Nothing>> {
    caller.client(&app).revoke_key(&id, &reason).await?;
    Ok(Json(Nothing {}))
}
