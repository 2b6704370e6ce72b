//! The inbox's list hears that it changed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use holdpoint_store::Logged;

use super::follow::{self, Shown};
use super::is_listed;
use crate::api::{Answer, App, Caller};

/// The list, as somebody may see it.
struct List(holdpoint_engine::auth::Caller);

impl Shown for List {
    fn is_changed_by(&self, event: &Logged) -> bool {
        is_listed(event, &self.0)
    }

    async fn look_again(&mut self, _app: &App) -> bool {
        true
    }
}

pub(super) async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Answer<Response> {
    let list = List(caller.0.clone());
    follow::follow(app, caller, (&headers, &uri), list).await
}
