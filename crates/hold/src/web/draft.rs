//! Stores input as a draft, so that it survives when the page is lost.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use holdpoint_core::decision::DraftInput;
use holdpoint_core::{Decision, Refusal, Status, Timestamp};
use holdpoint_engine::{Client as _, Embedded, Error};

use super::error::{PageError, Reply};
use super::form::{Form, Posted};
use super::meanwhile;
use crate::http::app::App;

/// How often storing is retried when others change the draft at the same moment.
const TRIES: usize = 8;

pub(super) async fn keep(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let Posted { visitor, form: typed } = posted.ours()?;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    if decision.status != Status::Pending || typed.get("digest") != decision.digest {
        return Err(PageError::new(409, "stale", "the decision has changed"));
    }
    join(&client, decision, &typed, app.engine.now().await?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Merges the changes made on a page into the stored draft, even if others change it at the same moment.
pub(super) async fn join(
    client: &Embedded,
    mut decision: Decision,
    typed: &Form,
    now: Timestamp,
) -> Result<(), PageError> {
    for _ in 0..TRIES {
        let values = meanwhile::joined(&decision, typed, now);
        if values == decision.draft {
            return Ok(());
        }
        let over = Some(decision.draft.clone());
        match client.draft_with(decision.id, DraftInput { values, over, talk: None }).await {
            Err(Error::Refused(Refusal::Stale { .. })) => {
                decision = client.get(&decision.id.to_string()).await?;
            }
            kept => return kept.map(drop).map_err(PageError::from),
        }
    }
    Err(PageError::new(409, "stale", "someone else changed this form just now; save it again"))
}
