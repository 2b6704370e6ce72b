//! Accounts of channels that answer for a person, over HTTP; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_engine::Channels as _;
use holdpoint_engine::auth::AccountCode;

use super::App;
use super::caller::{Caller, Mode};
use super::problem::{Answer, Failed};

/// Makes a code by which a person links an account of a channel.
#[utoipa::path(
    post,
    path = "/v1/people/{name}/accounts/{channel}",
    operation_id = "createAccountCode",
    tag = "people",
    params(("name" = String, Path, description = "The name"), ("channel" = String, Path, description = "The channel")),
    responses((status = 200, description = "A code that they say to the bot, once", body = AccountCode))
)]
pub(super) async fn code(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((name, channel)): Path<(String, String)>,
) -> Answer<Json<AccountCode>> {
    caller.0.administers()?;
    let Mode::Auth(doors) = &app.mode else {
        return Err(Failed::new(409, "no_auth", "this server does not require anyone to sign in"));
    };
    Ok(Json(app.engine.account_code(&caller.0, &doors.links, &name, &channel).await?))
}

/// Lets no account of a channel answer for a person any more.
#[utoipa::path(
    delete,
    path = "/v1/people/{name}/accounts/{channel}",
    operation_id = "unlinkAccount",
    tag = "people",
    params(("name" = String, Path, description = "The name"), ("channel" = String, Path, description = "The channel")),
    responses((status = 204, description = "No account there answers for them"))
)]
pub(super) async fn unlink(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((name, channel)): Path<(String, String)>,
) -> Answer<StatusCode> {
    caller.client(&app).unlink_account(&name, &channel).await?;
    Ok(StatusCode::NO_CONTENT)
}
