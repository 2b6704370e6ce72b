//! The page of a thread: its messages, and the decisions that resulted.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Timestamp};
use holdpoint_engine::thread::{Message, MessagesQuery, View};
use holdpoint_engine::{Client as _, ListQuery, Threads as _};
use holdpoint_protocols::aitp::thread::{ReadablePart, show as read};
use maud::{Markup, html};
use serde_json::Value;

use super::error::Reply;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::words;
use crate::http::app::App;

/// How many messages are shown; the newest.
const SHOWN: usize = 200;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, Path(id): Path<String>) -> Reply {
    let client = visitor.client(&app);
    let thread = client.thread(&id).await?;
    let newest = MessagesQuery { newest_first: true, limit: SHOWN, ..MessagesQuery::default() };
    let mut messages = client.messages(&thread.id, &newest, std::time::Duration::ZERO).await?;
    messages.reverse();
    let owner = format!("thread:{}", thread.id).parse().ok();
    let listed =
        client.list(&ListQuery { owner, limit: SHOWN, newest_first: true, ..ListQuery::default() }).await?;
    let seq = app.engine.store().head().await?.seq;
    let now = app.engine.now().await?;
    let main = html! {
        p .back { a href="/" { "← Inbox" } }
        article .card {
            header {
                p .meta { span .tag { "Thread" } span .id { (thread.id) } }
                h1 { "What was said" }
                p .asks { (parties(&thread)) }
            }
            @if messages.len() == SHOWN { p .hint { "Only the last " (SHOWN) " messages are shown." } }
            ol .thread { @for message in &messages { (message_markup(message, &listed.items, now)) } }
        }
    };
    let page = Page { title: "Thread", nav: NavItem::Elsewhere, visitor: Some(&visitor), seq: Some(seq) };
    Ok(page.send(StatusCode::OK, &main))
}

fn parties(thread: &View) -> Markup {
    let actors = thread.metadata.get("actors").and_then(Value::as_array);
    let names: Vec<&str> =
        actors.into_iter().flatten().filter_map(|actor| actor.get("id")?.as_str()).collect();
    let opened_by = thread.metadata.get("created_by").and_then(Value::as_str).unwrap_or_default();
    html! {
        "Opened by " bdi { (words::short(opened_by, 80)) }
        @if !names.is_empty() { ", with the participants " bdi { (words::short(&names.join(", "), 200)) } }
        "."
    }
}

fn message_markup(message: &Message, decisions: &[Decision], now: Timestamp) -> Markup {
    let at = Timestamp::from_millis(message.created_at.saturating_mul(1_000));
    let ours = message.is_ours();
    html! {
        li class={ "said" @if ours { " ours" } } {
            p .hint { bdi { (words::short(&message.sender(), 200)) } ", " (words::ago(at, now)) " ago" }
            @for part in &message.content { (part_of(&read(part, now))) }
            @if !message.attachments.is_empty() { p .hint { (message.attachments.len()) " attached" } }
            @for id in message.decisions() {
                @let decision = decisions.iter().find(|decision| decision.id == id);
                p { a href={ "/d/" (id) } { (decision.map_or_else(|| id.to_string(), |decision| words::headline(decision, 80))) }
                    @if let Some(decision) = decision { " " span .tag { (words::status(decision.status)) } } }
            }
        }
    }
}

fn part_of(shown: &ReadablePart) -> Markup {
    html! {
        @if let Some(title) = &shown.title { p dir="auto" { strong { (inert_line(title)) } } }
        @if !shown.words.is_empty() { p .pre dir="auto" { (shown.words) } }
        @if !shown.facts.is_empty() {
            details { summary { "What it says" }
                dl { @for (fact, value) in &shown.facts { dt dir="auto" { (fact) } dd .pre dir="auto" { (value) } } }
            }
        }
    }
}
