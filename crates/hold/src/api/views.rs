//! Saved views, and how inboxes behave, over HTTP.

use holdpoint_engine::api::views::{GET_INBOX, InboxSettings, LIST_VIEWS, PUT_VIEW, REMOVE_VIEW};
use holdpoint_engine::api::{Empty, Items};
use holdpoint_engine::{Client as _, Views as _};

use super::routes::Routes;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&GET_INBOX, |call| async move { call.client().undo().await.map(|undo| InboxSettings { undo }) })
        .on(&LIST_VIEWS, |call| async move { call.client().views().await.map(Items::from) })
        .on(&PUT_VIEW, |call| async move { call.client().save_view(&call.name, call.body).await })
        .on(
            &REMOVE_VIEW,
            |call| async move { call.client().remove_view(&call.name).await.map(|()| Empty {}) },
        )
}
