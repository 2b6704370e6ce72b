//! `POST /api/sessions/reset`, `GET /api/health`, and the end of what lies idle.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use holdpoint_core::{DecisionId, Owner, OwnerKind, Source, Status};
use holdpoint_engine::{Client as _, ListQuery};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::asker;
use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;
use crate::shown::private::is_private;

/// How often idle conversations are looked for.
const ROUND: Duration = Duration::from_secs(60);

#[derive(Debug, Deserialize)]
pub(super) struct Reset {
    conversation_id: String,
}

/// Ends a conversation; what was drafted is cancelled, what was sent stays.
pub(super) async fn reset(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(reset): Body<Reset>,
) -> Answer<Json<Value>> {
    let id = reset.conversation_id;
    let owner = Owner::new(OwnerKind::Chat, &id);
    let query = ListQuery { owner: Some(owner), newest_first: true, limit: 1, ..ListQuery::default() };
    let latest = caller.client(&app).list(&query).await?.items.pop();
    let Some(decision) = latest else {
        return Ok(Json(json!({ "success": false, "message": "There is no such conversation." })));
    };
    if decision.status == Status::Pending {
        end(&app, &id, decision.id, "the conversation was reset").await?;
        return Ok(Json(json!({ "success": true, "message": "The conversation was reset." })));
    }
    Ok(Json(json!({ "success": false, "message": "The conversation is over." })))
}

/// Tells how many conversations are open here.
pub(super) async fn health(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "status": "healthy", "active_sessions": app.chats.talks.lock().await.len() }))
}

/// Cancels what a conversation drafted, and forgets it.
pub(super) async fn end(app: &App, id: &str, decision: DecisionId, reason: &str) -> Answer<()> {
    app.chats.talks.lock().await.remove(id);
    asker(app).cancel(decision, Some(reason.to_owned())).await?;
    Ok(())
}

/// Ends conversations that lie idle, until told to stop. Those of before a restart begin to lie idle when it first
/// sees them.
pub(in crate::api) async fn run_idle(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut seen = std::collections::HashMap::new();
    while !*stop.borrow() {
        if let Err(failed) = round(&app, &mut seen).await {
            tracing::warn!("Could not end idle conversations: {}", failed.0.detail);
        }
        tokio::select! {
            () = tokio::time::sleep(ROUND) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn round(
    app: &App,
    seen: &mut std::collections::HashMap<DecisionId, holdpoint_core::Timestamp>,
) -> Answer<()> {
    let now = app.engine.now().await?;
    let query = ListQuery {
        statuses: vec![Status::Pending],
        source: Some(Source::Form),
        limit: 1000,
        ..ListQuery::default()
    };
    for decision in asker(app).list(&query).await?.items {
        let Some(owner) = decision.owner.as_ref().filter(|_| is_private(&decision)) else { continue };
        let talk = app.chats.talks.lock().await.get(&owner.id).cloned();
        let touched = match talk {
            // One that is being talked to is not idle.
            Some(talk) => talk.try_lock().map_or(now, |talk| talk.touched),
            None => *seen.entry(decision.id).or_insert(now),
        };
        if now.since(touched) > app.chats.idle {
            end(app, &owner.id, decision.id, "the conversation lay idle").await?;
            seen.remove(&decision.id);
        }
    }
    Ok(())
}
