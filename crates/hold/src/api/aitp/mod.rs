//! AITP over HTTP: threads in which agents of different parties talk, under `/aitp/v1`.

pub(super) mod messages;
pub(super) mod threads;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue};
use axum::routing::{get, post};
use holdpoint_core::{Refusal, text};
use serde::{Deserialize, Serialize};

use super::App;
use super::problem::{Answer, Failed};

/// What the routes of AITP answer.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/threads", post(threads::create).get(threads::list))
        // The protocol's own text has it so.
        .route("/thread", post(threads::create))
        .route("/threads/{id}", get(threads::get).post(threads::get_by_post).delete(threads::delete))
        .route("/threads/{id}/messages", post(messages::create).get(messages::list))
}

/// A list, as AITP sends it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct List<T> {
    /// `list`.
    object: &'static str,
    data: Vec<T>,
    /// The id of the first, if there is one.
    first_id: Option<String>,
    /// The id of the last, if there is one.
    last_id: Option<String>,
    /// Whether there may be more.
    has_more: bool,
}

impl<T> List<T> {
    fn of(data: Vec<T>, limit: usize, id: impl Fn(&T) -> String) -> Self {
        let (first_id, last_id) = (data.first().map(&id), data.last().map(&id));
        Self { object: "list", first_id, last_id, has_more: data.len() >= limit, data }
    }
}

const MOST: usize = 1_000;

fn limit(asked: Option<usize>, usual: usize) -> Answer<usize> {
    let limit = asked.unwrap_or(usual);
    if (1..=MOST).contains(&limit) {
        Ok(limit)
    } else {
        Err(Refusal::invalid("limit", format!("must be from 1 to {MOST}")).into())
    }
}

/// Reads the key under which something is done once.
fn key(headers: &HeaderMap) -> Answer<Option<String>> {
    let wrong = |why: String| Failed::from(Refusal::invalid("Idempotency-Key", why));
    let read = |value: &HeaderValue| {
        let key = value.to_str().map_err(|_| wrong("is not plain text".into()))?.trim_matches('"');
        text::check_name(key).map_err(wrong)?;
        Ok(key.to_owned())
    };
    headers.get("idempotency-key").map(read).transpose()
}

/// What is sent to open a thread. Other members are ignored.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes; what is sent is read in all the shapes that are about")]
pub(super) struct NewThread {
    /// What is said first: strings, or messages.
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<Vec<serde_json::Value>>,
    /// `actors`, `parent_id`, `project`, `assignees`, and whatever else is to be kept.
    #[schema(value_type = Option<Object>)]
    metadata: Option<serde_json::Value>,
}

/// What is sent to speak. Other members are ignored.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes; what is sent is read in all the shapes that are about")]
pub(super) struct NewMessage {
    /// `user` or `assistant`; counts only where nobody checks who speaks.
    role: Option<String>,
    /// A string, or a list of strings or of blocks of text.
    #[schema(value_type = Object)]
    content: serde_json::Value,
    /// What is attached.
    #[schema(value_type = Option<Vec<Object>>)]
    attachments: Option<Vec<serde_json::Value>>,
    /// `actor`, and whatever else is to be kept.
    #[schema(value_type = Option<Object>)]
    metadata: Option<serde_json::Value>,
}
