//! Tells the open page of a signed link what happened to its decision.

use std::sync::Arc;

use axum::extract::{Path, State};
use holdpoint_engine::Error;
use holdpoint_engine::auth::LinkError;

use super::card::{REVISED, change};
use super::{changed, stream};
use crate::http::app::App;
use crate::web::error::Reply;
use crate::web::visitor::links;

const USED: &str = "This link was used meanwhile: the answer has been given. Nothing was sent.";

pub(super) async fn follow(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let (sender, response) = stream();
    match app.engine.open_link(links(&app)?, &text, "link").await {
        Ok(opened) => {
            tokio::spawn(async move {
                let decision = &opened.decision;
                tokio::select! {
                    words = change(&app, &opened.caller, decision.id, &decision.digest, None) => {
                        if let Some(words) = words {
                            let _ = sender.send(Ok(changed(&words))).await;
                        }
                    }
                    () = sender.closed() => {}
                    () = app.stops() => {}
                }
            });
        }
        // It happened after the page was rendered, and before it listened.
        Err(Error::Link(fault @ (LinkError::Changed | LinkError::Used))) => {
            let words = if fault == LinkError::Used { USED } else { REVISED };
            let _ = sender.try_send(Ok(changed(words)));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(response)
}
