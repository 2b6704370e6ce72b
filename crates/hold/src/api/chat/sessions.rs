//! `POST /api/sessions/reset`, `GET /api/health`, and ending idle conversations.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use holdpoint_core::{Decision, DecisionId, Owner, OwnerKind, Source, Status, Timestamp};
use holdpoint_engine::api::NoParams;
use holdpoint_engine::api::forms::{ChatHealth, Reset, ResetReply};
use holdpoint_engine::{Client as _, Embedded, ListQuery};
use holdpoint_protocols::action::form::Form;
use tokio::sync::watch;

use super::{Transcript, asker, conversation_of};
use crate::api::routes::Call;
use crate::http::app::App;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;
use crate::view_model::private::is_private;

/// How often idle conversations are searched for.
const ROUND: Duration = Duration::from_secs(60);

pub(super) async fn reset(call: Call<NoParams, Reset>) -> HandlerResult<ResetReply> {
    let Call { app, caller, body: reset, .. } = call;
    let owner = Owner::new(OwnerKind::Chat, &reset.conversation_id);
    let query = ListQuery { owner: Some(owner), newest_first: true, limit: 1, ..ListQuery::default() };
    let latest = caller.client(&app).list(&query).await?.items.pop();
    let reply = |success, message: &str| Ok(ResetReply { success, message: message.to_owned() });
    let Some(decision) = latest else { return reply(false, "There is no such conversation.") };
    if decision.status == Status::Answered {
        // What was sent stays. The id becomes free for a new form, which is recorded as begun and given up.
        let form = Form::of(&decision);
        let fresh =
            super::begin(&app, &form, &decision.project, &reset.conversation_id, Some(&decision)).await?;
        end(&app, &fresh, "the conversation was reset").await?;
        return reply(true, "The form was sent, and stays so. The conversation was reset.");
    }
    if decision.status != Status::Pending {
        return reply(false, "The conversation is over.");
    }
    if !is_private(&decision) {
        // Another caller waits for it; only those who may cancel it can.
        forget(&app, &decision).await;
        return reply(false, "Someone waits for this form; what was filled in is kept.");
    }
    end(&app, &decision, "the conversation was reset").await?;
    reply(true, "The conversation was reset.")
}

pub(super) async fn health(State(app): State<Arc<App>>) -> Reply<ChatHealth> {
    Reply(ChatHealth { status: "healthy".to_owned(), active_sessions: app.chats.talks.lock().await.len() })
}

/// Cancels a conversation's draft and forgets the conversation.
pub(super) async fn end(app: &App, decision: &Decision, reason: &str) -> HandlerResult<()> {
    forget(app, decision).await;
    asker(app).cancel(decision.id, Some(reason.to_owned())).await?;
    Ok(())
}

/// Cancels a form because the person who fills it in says so. A form that somebody asked for is cancelled only by
/// those with permission.
pub(super) async fn give_up(app: &App, client: &Embedded, decision: &Decision) -> HandlerResult<()> {
    let reason = "cancelled in conversation";
    if is_private(decision) {
        return end(app, decision, reason).await;
    }
    client.cancel(decision.id, Some(reason.to_owned())).await?;
    forget(app, decision).await;
    Ok(())
}

pub(super) async fn forget(app: &App, decision: &Decision) {
    app.chats.talks.lock().await.remove(&conversation_of(decision));
}

/// Returns whether a conversation has been silent for too long. One that is not cached here does not count as idle
/// yet.
pub(super) async fn is_idle(app: &App, decision: &Decision) -> HandlerResult<bool> {
    let now = app.engine.now().await?;
    let Some(touched) = touched(app, decision, now).await else { return Ok(false) };
    Ok(now.since(touched) > app.chats.idle && is_idle_in_log(app, decision, now).await?)
}

/// Returns when the last line was written here, if any was.
async fn touched(app: &App, decision: &Decision, now: Timestamp) -> Option<Timestamp> {
    let talk = app.chats.talks.lock().await.get(&conversation_of(decision)).cloned()?;
    // A locked conversation is in use, and so is not idle.
    Some(talk.try_lock().map_or(now, |talk| talk.touched))
}

/// Returns whether the log agrees: the conversation may have gone on at another node.
async fn is_idle_in_log(app: &App, decision: &Decision, now: Timestamp) -> HandlerResult<bool> {
    let mut talk = Transcript::about(decision);
    talk.follow(app.engine.store().as_ref()).await?;
    Ok(now.since(talk.touched) > app.chats.idle)
}

/// Ends idle conversations until told to stop. Those from before a restart start to count as idle when this loop
/// first sees them.
pub(crate) async fn run_idle(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut seen = HashMap::new();
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

async fn round(app: &App, seen: &mut HashMap<DecisionId, Timestamp>) -> HandlerResult<()> {
    let now = app.engine.now().await?;
    let mut waiting = Vec::new();
    let mut query = ListQuery {
        statuses: vec![Status::Pending],
        source: Some(Source::Form),
        limit: 1000,
        ..ListQuery::default()
    };
    loop {
        let listed = asker(app).list(&query).await?;
        waiting.extend(listed.items.into_iter().filter(is_private));
        match listed.next {
            Some(next) => query.cursor = Some(next),
            None => break,
        }
    }
    seen.retain(|id, _| waiting.iter().any(|decision| decision.id == *id));
    for decision in waiting {
        let touched = match touched(app, &decision, now).await {
            Some(touched) => touched,
            None => *seen.entry(decision.id).or_insert(now),
        };
        if now.since(touched) > app.chats.idle && is_idle_in_log(app, &decision, now).await? {
            end(app, &decision, "the conversation was idle for too long").await?;
            seen.remove(&decision.id);
        }
    }
    forget_old(app, now).await;
    Ok(())
}

/// Forgets conversations that have been silent for too long, whatever became of their decisions.
async fn forget_old(app: &App, now: Timestamp) {
    let idle = app.chats.idle;
    app.chats
        .talks
        .lock()
        .await
        .retain(|_, talk| talk.try_lock().map_or(true, |talk| now.since(talk.touched) <= idle));
}
