//! Threads and their messages.

use std::collections::BTreeMap;

use holdpoint_core::Thread;

use super::connection::{Connection, Send, get, int, ints, send, text, texts};
use super::decisions::most;
use super::error::Result;
use super::events::logged;
use super::pool::Pool;
use crate::plan::of_messages;
use crate::{Logged, MessageQuery, Order};

const ONE: &str = "SELECT doc FROM hp.thread WHERE id = $1";
const NEWEST: &str =
    "SELECT doc FROM hp.thread WHERE $1 IS NULL OR project = $1 ORDER BY created_at DESC, id LIMIT $2";
const ALL: &str = "SELECT doc FROM hp.thread";
const FORWARDS: &str = "SELECT seq, stream, version, type, at, body FROM hp.event \
    WHERE stream = $1 AND version > $2 AND version < $3 ORDER BY version LIMIT $4";
const BACKWARDS: &str = "SELECT seq, stream, version, type, at, body FROM hp.event \
    WHERE stream = $1 AND version > $2 AND version < $3 ORDER BY version DESC LIMIT $4";
const INSERT: &str =
    "INSERT INTO hp.thread (id, project, created_at, doc) SELECT * FROM unnest($1, $2, $3, $4)";
const DELETE: &str = "DELETE FROM hp.thread WHERE id = ANY($1)";

/// Returns a thread.
pub(super) async fn thread(pool: &Pool, id: &str) -> Result<Option<Thread>> {
    let rows = pool.query(ONE, &[text(&id)]).await?;
    rows.first().map(|row| Ok(serde_json::from_str(get(row, 0)?)?)).transpose()
}

/// Lists threads, newest first.
pub(super) async fn threads(pool: &Pool, project: Option<&str>, limit: usize) -> Result<Vec<Thread>> {
    let limit = most(limit);
    let rows = pool.query(NEWEST, &[text(&project), int(&limit)]).await?;
    rows.iter().map(|row| Ok(serde_json::from_str(get(row, 0)?)?)).collect()
}

/// Reads the messages of a thread.
pub(super) async fn messages(pool: &Pool, thread: &Thread, query: &MessageQuery) -> Result<Vec<Logged>> {
    let sql = match query.order {
        Order::OldestFirst => FORWARDS,
        Order::NewestFirst => BACKWARDS,
    };
    let (stream, (after, before), limit) = (of_messages(thread), query.versions(), most(query.limit));
    let rows = pool.query(sql, &[text(&stream), int(&after), int(&before), int(&limit)]).await?;
    rows.iter().map(logged).collect()
}

/// Reads all threads, to compare them with the log.
pub(super) async fn all(connection: &Connection) -> Result<BTreeMap<String, Thread>> {
    let mut threads = BTreeMap::new();
    for row in connection.query(ALL, &[]).await? {
        let thread: Thread = serde_json::from_str(get(&row, 0)?)?;
        threads.insert(thread.id.clone(), thread);
    }
    Ok(threads)
}

/// The rows of threads, column by column, and the ids of removed threads.
#[derive(Default)]
pub(super) struct Rows {
    id: Vec<String>,
    project: Vec<String>,
    created_at: Vec<i64>,
    doc: Vec<String>,
    gone: Vec<String>,
}

impl Rows {
    /// Turns changes into rows.
    pub(super) fn of(writes: &BTreeMap<String, Option<Thread>>) -> Result<Self> {
        let mut rows = Self::default();
        for (id, thread) in writes {
            match thread {
                Some(thread) => rows.push(thread)?,
                None => rows.gone.push(id.clone()),
            }
        }
        Ok(rows)
    }

    /// Adds a new thread.
    pub(super) fn push(&mut self, thread: &Thread) -> Result<()> {
        self.id.push(thread.id.clone());
        self.project.push(thread.project.clone());
        self.created_at.push(thread.created_at.as_millis());
        self.doc.push(serde_json::to_string(thread)?);
        Ok(())
    }

    /// Returns the statements that write them; none if there is nothing to write.
    pub(super) fn sends(&self) -> Vec<Send<'_>> {
        let mut sends = Vec::new();
        if !self.gone.is_empty() {
            sends.push(send(DELETE, &[texts(&self.gone)]));
        }
        if !self.id.is_empty() {
            let columns = [texts(&self.id), texts(&self.project), ints(&self.created_at), texts(&self.doc)];
            sends.push(send(INSERT, &columns));
        }
        sends
    }
}
