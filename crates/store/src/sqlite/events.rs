//! Reads the log.

use holdpoint_core::{Span, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::pool::Reader;
use crate::chain::{Hash, hex};
use crate::plan::{number_of, of_decision};
use crate::port::EVENTS;
use crate::{Error, EventHeader, EventQuery, Head, LogRow, Logged, Result};

/// Reads events after a sequence number.
pub(super) fn events(reader: &Reader, query: &EventQuery) -> Result<Vec<Logged>> {
    let stream = query.decision.map(|id| of_decision(reader.numbering.number(id)));
    // Two statements, because one walks along a stream and the other along the whole log.
    let sql = match stream {
        Some(_) => {
            "SELECT seq, stream, version, type, at, body FROM event \
             WHERE stream = ?1 AND seq > ?2 AND (?3 IS NULL OR body ->> '$.project' = ?3) ORDER BY version LIMIT ?4"
        }
        None => {
            "SELECT seq, stream, version, type, at, body FROM event \
             WHERE ?1 IS NULL AND seq > ?2 AND (?3 IS NULL OR body ->> '$.project' = ?3) ORDER BY seq LIMIT ?4"
        }
    };
    let mut statement = reader.connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![stream, query.after, query.project, query.limit])?;
    let (mut events, mut bytes) = (Vec::new(), 0);
    while bytes < EVENTS
        && let Some(row) = rows.next()?
    {
        bytes += row.get_ref(5)?.as_str_or_null().map_err(rusqlite::Error::from)?.map_or(0, str::len);
        events.push(logged(row)?);
    }
    Ok(events)
}

/// Reads all events of a stream.
pub(super) fn of_stream(connection: &Connection, stream: &str) -> Result<Vec<Logged>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, stream, version, type, at, body FROM event WHERE stream = ?1 ORDER BY version",
    )?;
    let mut rows = statement.query([stream])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(logged(row)?);
    }
    Ok(events)
}

/// Reads an event from `seq, stream, version, type, at, body`.
pub(super) fn logged(row: &Row<'_>) -> Result<Logged> {
    let body = row.get_ref(5)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    Ok(Logged {
        seq: row.get(0)?,
        stream: row.get(1)?,
        version: row.get(2)?,
        tag: row.get(3)?,
        at: Timestamp::from_millis(row.get(4)?),
        body: body.map(serde_json::from_str).transpose()?,
    })
}

/// Reads events after a sequence number, without their bodies.
pub(super) fn traces(reader: &Reader, after: i64, limit: usize) -> Result<Vec<EventHeader>> {
    let mut statement = reader
        .connection
        .prepare_cached("SELECT seq, type, stream FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let traces = statement.query_map(params![after, limit], |row| {
        let decision = number_of(row.get_ref(2)?.as_str()?).map(|number| reader.numbering.id(number));
        Ok(EventHeader { seq: row.get(0)?, tag: row.get(1)?, decision })
    })?;
    Ok(traces.collect::<rusqlite::Result<_>>()?)
}

/// Returns the head of the log.
pub(super) fn head(connection: &Connection) -> Result<Head> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, at, (SELECT value FROM meta WHERE name = 'skew') FROM event ORDER BY seq DESC LIMIT 1",
    )?;
    let head = statement.query_row([], |row| {
        let skew = Span::from_millis(row.get::<_, Option<i64>>(2)?.unwrap_or_default());
        Ok(Head { seq: row.get(0)?, at: Some(Timestamp::from_millis(row.get(1)?)), clock: None, skew })
    });
    let empty = Head { seq: 0, at: None, clock: None, skew: Span::from_millis(0) };
    Ok(head.optional()?.unwrap_or(empty))
}

/// Reads raw rows as they are, damaged or not.
pub(super) fn links(connection: &Connection, after: i64, limit: usize) -> Result<Vec<LogRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, stream, version, type, at, body, body_hash, prev, hash, proof FROM event \
         WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    )?;
    let links = statement.query_map(params![after, limit], |row| link(row, 0))?;
    Ok(links.collect::<rusqlite::Result<_>>()?)
}

/// Reads raw rows of one stream after a version.
pub(super) fn stream(connection: &Connection, stream: &str, after: i64) -> Result<Vec<LogRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, stream, version, type, at, body, body_hash, prev, hash, proof FROM event \
         WHERE stream = ?1 AND version > ?2 ORDER BY version",
    )?;
    let links = statement.query_map(params![stream, after], |row| link(row, 0))?;
    Ok(links.collect::<rusqlite::Result<_>>()?)
}

/// Reads an event from ten columns, the first of which is given.
pub(super) fn link(row: &Row<'_>, first: usize) -> rusqlite::Result<LogRow> {
    Ok(LogRow {
        seq: row.get(first)?,
        stream: row.get(first + 1)?,
        version: row.get(first + 2)?,
        tag: row.get(first + 3)?,
        at: row.get(first + 4)?,
        body: row.get(first + 5)?,
        body_hash: hash(row, first + 6)?,
        prev: hash(row, first + 7)?,
        hash: hash(row, first + 8)?,
        proof: row.get(first + 9)?,
    })
}

fn hash(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(hex(row.get_ref(column)?.as_blob()?))
}

/// Reads the hashes of events after a sequence number.
pub(super) fn hashes(connection: &Connection, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>> {
    let mut statement =
        connection.prepare_cached("SELECT seq, hash FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    let mut rows = statement.query(params![after, limit])?;
    let mut hashes = Vec::with_capacity(limit);
    while let Some(row) = rows.next()? {
        let seq = row.get(0)?;
        let hash = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
        let damaged = |_| Error::Corrupt(format!("the hash of event {seq} is damaged"));
        hashes.push((seq, Hash::try_from(hash).map_err(damaged)?));
    }
    Ok(hashes)
}
