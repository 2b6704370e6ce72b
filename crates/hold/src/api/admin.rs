//! What admins manage over HTTP: tokens, authentication, undelivered notices and channels.

use holdpoint_core::Refusal;
use holdpoint_engine::api::Items;
use holdpoint_engine::api::admin::{
    AuthState, CREATE_TOKEN, ChannelLogParams, GET_AUTH, LIST_CHANNEL_LOG, LIST_CHANNELS, LIST_OUTBOX,
    LIST_TOKENS, OutboxParams, RESEND, REVOKE_TOKEN, Resent, SET_AUTH, TEST_CHANNEL,
};
use holdpoint_engine::{Admin as _, Channels as _, Undelivered};
use holdpoint_store::{ChannelNote, OutboxState};

use super::routes::{Call, Routes};
use crate::http::problem::HandlerResult;
use crate::http::query::limit;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&LIST_TOKENS, |call| async move { call.client().tokens().await.map(Items::from) })
        .on(&CREATE_TOKEN, |call| async move { call.client().create_token(call.body).await })
        .on(&REVOKE_TOKEN, |call| async move { call.client().revoke_token(&call.name).await })
        .on(&GET_AUTH, |call| async move {
            let client = call.client();
            let required = client.auth_required().await?;
            client.whoami().await.map(|by| AuthState { required, by })
        })
        .on(
            &SET_AUTH,
            |call| async move { call.client().set_auth(call.body.required).await.map(|()| call.body) },
        )
        .on(&LIST_OUTBOX, outbox)
        .on(&RESEND, resend)
        .on(&LIST_CHANNELS, |call| async move { call.client().channels().await.map(Items::from) })
        .on(
            &TEST_CHANNEL,
            |call| async move { call.client().test_channel(&call.name, &call.body.person).await },
        )
        .on(&LIST_CHANNEL_LOG, channel_log)
}

async fn outbox(call: Call<OutboxParams>) -> HandlerResult<Items<Undelivered>> {
    let limit = limit(call.query.limit, 100)?;
    Ok(call.client().outbox(call.query.state, limit).await?.into())
}

async fn resend(call: Call) -> HandlerResult<Resent> {
    let missing = || Refusal::NotFound { what: "outbox row", id: call.name.clone() };
    let id = call.name.parse().map_err(|_| missing())?;
    call.client().resend(id).await?;
    Ok(Resent { id, state: OutboxState::Queued })
}

async fn channel_log(call: Call<ChannelLogParams>) -> HandlerResult<Items<ChannelNote>> {
    let limit = limit(call.query.limit, 100)?;
    Ok(call.client().channel_log(call.query.channel, limit).await?.into())
}
