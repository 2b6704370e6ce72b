//! Channels over HTTP: which there are, whether they work, what they did; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::{Lane, Refusal};
use holdpoint_engine::{ChannelState, Channels as _};
use holdpoint_store::ChannelNote;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// How many notes are listed unless asked otherwise, and at most.
const LISTED: (usize, usize) = (100, 1000);

/// The channels.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Channels {
    /// One for each that the settings name.
    items: Vec<ChannelState>,
}

/// Who gets a test message.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChannelTest {
    /// The person's name.
    person: String,
}

/// Which notes are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LogParams {
    /// Only those of this channel.
    #[param(inline)]
    channel: Option<Lane>,
    /// At most this many; 100 if not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// What channels did.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct ChannelLog {
    /// The notes, newest first.
    items: Vec<ChannelNote>,
}

/// Lists the channels that the settings name.
#[utoipa::path(
    get,
    path = "/v1/channels",
    operation_id = "listChannels",
    tag = "channels",
    responses((status = 200, description = "The channels, whom each reaches, and what is undelivered", body = Channels))
)]
pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Channels>> {
    Ok(Json(Channels { items: caller.client(&app).channels().await? }))
}

/// Sends a person a message that only shows that messages arrive.
#[utoipa::path(
    post,
    path = "/v1/channels/{channel}/test",
    operation_id = "testChannel",
    tag = "channels",
    params(("channel" = String, Path, description = "The channel")),
    request_body = ChannelTest,
    responses((status = 204, description = "It was sent"))
)]
pub(super) async fn test(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(channel): Path,
    Body(test): Body<ChannelTest>,
) -> Answer<StatusCode> {
    caller.client(&app).test_channel(&channel, &test.person).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists what channels sent, took and refused in the last month.
#[utoipa::path(
    get,
    path = "/v1/channels/log",
    operation_id = "listChannelLog",
    tag = "channels",
    params(LogParams),
    responses((status = 200, description = "What channels did, newest first", body = ChannelLog))
)]
pub(super) async fn log(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<LogParams>,
) -> Answer<Json<ChannelLog>> {
    let limit = params.limit.unwrap_or(LISTED.0);
    if !(1..=LISTED.1).contains(&limit) {
        return Err(Refusal::invalid("limit", format!("must be from 1 to {}", LISTED.1)).into());
    }
    Ok(Json(ChannelLog { items: caller.client(&app).channel_log(params.channel, limit).await? }))
}
