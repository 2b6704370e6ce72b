//! Reading threads, with a caller's permissions.

use std::time::Duration;

use holdpoint_core::text::check_name;
use holdpoint_core::{Event, Refusal, Thread, access};
use holdpoint_store::{Logged, MessageQuery, Order};
use serde_json::Value;

use super::view::{self, Message, View};
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// How many messages come with a thread.
const WITH_THREAD: usize = 1_000;
/// How many threads are read for a list.
const LISTED: usize = 1_000;

/// Which messages to read.
#[derive(Clone, Debug, Default)]
pub struct MessagesQuery {
    /// The id of the message after which to start.
    pub after: Option<String>,
    /// The id of the message before which to stop.
    pub before: Option<String>,
    /// The newest first instead of the oldest.
    pub newest_first: bool,
    /// The most messages to return.
    pub limit: usize,
}

impl Engine {
    /// Returns a thread with its messages.
    pub async fn thread_for(&self, caller: &Caller, id: &str) -> Result<View> {
        let thread = self.known_thread(caller, id).await?;
        let query = MessageQuery { limit: WITH_THREAD, ..MessageQuery::default() };
        let messages = self.read_messages(&thread, &query).await?;
        Ok(View::of(thread, messages))
    }

    /// Lists threads without their messages, the most recently opened first.
    pub async fn threads_for(
        &self,
        caller: &Caller,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<View>> {
        if project.is_some_and(|project| check_name(project).is_err()) {
            return Ok(Vec::new());
        }
        let mut threads = self.store.threads(project, LISTED).await?;
        threads.retain(|thread| caller.may_join(thread));
        threads.truncate(limit);
        Ok(threads.into_iter().map(|thread| View::of(thread, Vec::new())).collect())
    }

    /// Reads messages; if there are none, holds up to `wait` for the first.
    pub async fn messages_for(
        &self,
        caller: &Caller,
        id: &str,
        query: &MessagesQuery,
        wait: Duration,
    ) -> Result<Vec<Message>> {
        let thread = self.known_thread(caller, id).await?;
        let query = MessageQuery {
            after: query
                .after
                .as_deref()
                .map(|id| message_position(&thread, id, "after"))
                .transpose()?
                .unwrap_or(0),
            before: query.before.as_deref().map(|id| message_position(&thread, id, "before")).transpose()?,
            order: if query.newest_first { Order::NewestFirst } else { Order::OldestFirst },
            limit: query.limit,
        };
        if wait.is_zero() {
            return self.read_messages(&thread, &query).await;
        }
        let mut changed = self.head_signal()?;
        let give_up = tokio::time::Instant::now() + wait;
        loop {
            changed.mark_unchanged();
            let messages = self.read_messages(&thread, &query).await?;
            if !messages.is_empty() {
                return Ok(messages);
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = tokio::time::sleep_until(give_up) => return Ok(messages),
            }
        }
    }

    /// Returns a thread that the caller may read.
    pub(super) async fn known_thread(&self, caller: &Caller, id: &str) -> Result<Thread> {
        let missing = || Refusal::NotFound { what: "thread", id: id.to_owned() };
        // An invalid name is not looked up: not every store supports that.
        check_name(id).map_err(|_| missing())?;
        let thread = self.store.thread(id).await?.filter(|thread| caller.may_join(thread));
        Ok(thread.ok_or_else(missing)?)
    }

    pub(super) async fn message_at(&self, thread: &Thread, place: i64) -> Result<Option<Message>> {
        let query = MessageQuery { after: place - 1, limit: 1, ..MessageQuery::default() };
        Ok(self.read_messages(thread, &query).await?.pop())
    }

    async fn read_messages(&self, thread: &Thread, query: &MessageQuery) -> Result<Vec<Message>> {
        let mut messages = Vec::new();
        for logged in self.store.messages(thread, query).await? {
            let Some(event) = event(&logged)? else { continue };
            let decision = match view::names(&event) {
                Some(id) => self.decision(id).await?,
                None => None,
            };
            messages.extend(view::message(thread, &logged, event, decision.as_ref()));
        }
        Ok(messages)
    }
}

impl Caller {
    /// Returns whether the caller may read a thread and post to it.
    pub fn may_join(&self, thread: &Thread) -> bool {
        access::may_join(thread, &self.actor, &self.projects)
    }
}

/// Parses the event of a message; none if it was deleted.
fn event(logged: &Logged) -> Result<Option<Event>> {
    let Some(Value::Object(mut body)) = logged.body.clone() else { return Ok(None) };
    body.insert("type".into(), logged.tag.clone().into());
    let event = serde_json::from_value(Value::Object(body));
    let corrupt = |why: serde_json::Error| {
        Error::Store(holdpoint_store::Error::Corrupt(format!("event {} cannot be read: {why}", logged.seq)))
    };
    event.map(Some).map_err(corrupt)
}

fn message_position(thread: &Thread, id: &str, name: &str) -> Result<i64> {
    let own = format!("msg-{}-", thread.id.trim_start_matches("thr-"));
    let place = view::parse_position(id).filter(|place| id.starts_with(&own) && *place >= 0);
    Ok(place.ok_or_else(|| Refusal::invalid(name, "is not a message of this thread"))?)
}
