//! Threads and their messages.

use holdpoint_core::Thread;
use rusqlite::{Connection, OptionalExtension, params};

use super::events::logged;
use crate::plan::of_messages;
use crate::{Logged, MessageQuery, Order, Result};

/// Returns a thread.
pub(super) fn thread(connection: &Connection, id: &str) -> Result<Option<Thread>> {
    let mut statement = connection.prepare_cached("SELECT doc FROM thread WHERE id = ?1")?;
    let doc: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
    Ok(doc.map(|doc| serde_json::from_str(&doc)).transpose()?)
}

/// Lists threads, newest first.
pub(super) fn threads(connection: &Connection, project: Option<&str>, limit: usize) -> Result<Vec<Thread>> {
    let mut statement = connection.prepare_cached(
        "SELECT doc FROM thread WHERE ?1 IS NULL OR project = ?1 ORDER BY created_at DESC, id LIMIT ?2",
    )?;
    let mut rows = statement.query(params![project, limit])?;
    let mut threads = Vec::new();
    while let Some(row) = rows.next()? {
        threads.push(serde_json::from_str(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(threads)
}

/// Reads the messages of a thread.
pub(super) fn messages(
    connection: &Connection,
    thread: &Thread,
    query: &MessageQuery,
) -> Result<Vec<Logged>> {
    let sql = match query.order {
        Order::OldestFirst => {
            "SELECT seq, stream, version, type, at, body FROM event \
             WHERE stream = ?1 AND version > ?2 AND version < ?3 ORDER BY version LIMIT ?4"
        }
        Order::NewestFirst => {
            "SELECT seq, stream, version, type, at, body FROM event \
             WHERE stream = ?1 AND version > ?2 AND version < ?3 ORDER BY version DESC LIMIT ?4"
        }
    };
    let (after, before) = query.versions();
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![of_messages(thread), after, before, query.limit])?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        messages.push(logged(row)?);
    }
    Ok(messages)
}

/// Writes a new thread.
pub(super) fn insert(connection: &Connection, thread: &Thread) -> Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT INTO thread (id, project, created_at, doc) VALUES (?1, ?2, ?3, ?4)")?;
    let doc = serde_json::to_string(thread)?;
    statement.execute(params![thread.id, thread.project, thread.created_at.as_millis(), doc])?;
    Ok(())
}

/// Deletes a thread.
pub(super) fn delete(connection: &Connection, id: &str) -> Result<()> {
    connection.prepare_cached("DELETE FROM thread WHERE id = ?1")?.execute([id])?;
    Ok(())
}
