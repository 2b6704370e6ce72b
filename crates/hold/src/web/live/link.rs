//! What becomes of the decision behind a signed link while its page is open.

use std::sync::Arc;

use axum::extract::{Path, State};
use holdpoint_engine::Error;
use holdpoint_engine::auth::LinkError;

use super::card::{REVISED, change};
use super::{changed, stream};
use crate::api::App;
use crate::web::error::Reply;
use crate::web::sign_in::doors;

const USED: &str = "This link was used meanwhile: the answer has been given. Nothing was sent.";

pub(super) async fn follow(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let (sender, response) = stream();
    match app.engine.open_link(&doors(&app)?.links, &text, "link").await {
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
        // It happened after the page was made, and before anybody listened.
        Err(Error::Link(fault @ (LinkError::Changed | LinkError::Used))) => {
            let words = if fault == LinkError::Used { USED } else { REVISED };
            let _ = sender.try_send(Ok(changed(words)));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(response)
}
