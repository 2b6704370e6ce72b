//! The log itself and its keys over HTTP.

use holdpoint_engine::Logs as _;
use holdpoint_engine::api::Empty;
use holdpoint_engine::api::log::{ACCEPT_LOG, GET_LOG_CONSISTENCY, GET_LOG_HEAD, REVOKE_KEY, ROTATE_KEY};
use holdpoint_engine::log::LogPath;

use super::routes::Routes;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&ACCEPT_LOG, |call| async move { call.client().accept_log(&call.body.reason).await })
        .on(&GET_LOG_HEAD, |call| async move { call.client().log_head().await })
        .on(&GET_LOG_CONSISTENCY, |call| async move {
            let path = call.client().log_consistency(call.query.from, call.query.to).await;
            path.map(|path| LogPath { path })
        })
        .on(&ROTATE_KEY, |call| async move { call.client().rotate_key().await })
        .on(&REVOKE_KEY, |call| async move {
            call.client().revoke_key(&call.name, &call.body.reason).await.map(|()| Empty {})
        })
}
