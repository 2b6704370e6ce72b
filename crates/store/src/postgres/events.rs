//! Reads the log.

use holdpoint_core::{Span, Timestamp};
use serde_json::Value;
use tokio_postgres::Row;

use super::address::Clock;
use super::connection::{get, int, ints, text, texts};
use super::decisions::most;
use super::error::Result;
use super::migrate;
use super::pool::Pool;
use super::shared::Shared;
use crate::chain::{Hash, hex};
use crate::plan::{number_of, of_decision};
use crate::port::EVENTS;
use crate::{EventHeader, EventQuery, Head, LogRow, Logged};

/// Bodies beyond the size of a page are not sent; the last column tells which ones.
macro_rules! bounded {
    ($found:literal, $order:literal) => {
        concat!(
            "SELECT seq, stream, version, type, at, CASE WHEN before < $5 THEN body END, before < $5 FROM \
             (SELECT *, coalesce(sum(octet_length(body)) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING \
             AND 1 PRECEDING), 0) AS before FROM (SELECT seq, stream, version, type, at, body FROM hp.event WHERE ",
            $found,
            " AND seq > $2 AND ($3 IS NULL OR position($3 IN body) > 0) ORDER BY ",
            $order,
            " LIMIT $4) AS found) AS sized ORDER BY seq"
        )
    };
}
const OF_STREAM: &str = bounded!("stream = $1", "version");
const OF_LOG: &str = bounded!("$1 IS NULL", "seq");
const TRACES: &str = "SELECT seq, type, stream FROM hp.event WHERE seq > $1 ORDER BY seq LIMIT $2";
const HEAD: &str = "SELECT seq, at, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint, \
     (SELECT value FROM hp.meta WHERE name = 'schema'), (SELECT value FROM hp.meta WHERE name = 'skew') FROM hp.head";
const HASHES: &str = "SELECT seq, hash FROM hp.event WHERE seq > $1 ORDER BY seq LIMIT $2";
const LINKS: &str = "SELECT seq, stream, version, type, at, body, body_hash, prev, hash, proof FROM hp.event \
    WHERE seq > $1 ORDER BY seq LIMIT $2";
/// Reads raw rows of some streams, each after a version.
pub(super) const STREAMS: &str = "SELECT e.seq, e.stream, e.version, e.type, e.at, e.body, e.body_hash, e.prev, e.hash, e.proof \
    FROM (SELECT DISTINCT * FROM unnest($1, $2)) AS u (stream, after) JOIN hp.event AS e ON e.stream = u.stream AND e.version > u.after \
    ORDER BY e.stream, e.version";

/// Reads events after a sequence number.
pub(super) async fn events(shared: &Shared, query: &EventQuery) -> Result<Vec<Logged>> {
    let stream = query.decision.map(|id| of_decision(shared.numbering.number(id)));
    // Two statements, because one walks along a stream and the other along the whole log.
    let sql = if stream.is_some() { OF_STREAM } else { OF_LOG };
    // The database leaves out bodies that cannot be of the project; the others are checked after reading.
    let needle = query
        .project
        .as_ref()
        .map(|project| format!("\"project\":{}", serde_json::to_string(project).unwrap_or_default()));
    let (limit, most_bytes) = (most(query.limit), most(EVENTS));
    let mut after = query.after;
    let mut events = Vec::new();
    loop {
        let params = [text(&stream), int(&after), text(&needle), int(&limit), int(&most_bytes)];
        let rows = shared.pool.query(sql, &params).await?;
        let mut all = true;
        for row in &rows {
            all = get(row, 6)?;
            if !all {
                break;
            }
            let event = logged(row)?;
            after = event.seq;
            if is_of(&event, query.project.as_deref()) && events.len() < query.limit {
                events.push(event);
            }
        }
        if (all && rows.len() < query.limit) || events.len() >= query.limit || (!all && !events.is_empty()) {
            return Ok(events);
        }
    }
}

/// Reads all events of a stream.
pub(super) async fn of_stream(pool: &Pool, stream: &str) -> Result<Vec<Logged>> {
    let sql = "SELECT seq, stream, version, type, at, body FROM hp.event WHERE stream = $1 ORDER BY version";
    pool.query(sql, &[text(&stream)]).await?.iter().map(logged).collect()
}

/// Reads an event from `seq, stream, version, type, at, body`.
pub(super) fn logged(row: &Row) -> Result<Logged> {
    let body: Option<&str> = get(row, 5)?;
    Ok(Logged {
        seq: get(row, 0)?,
        stream: get(row, 1)?,
        version: get(row, 2)?,
        tag: get(row, 3)?,
        at: Timestamp::from_millis(get(row, 4)?),
        body: body.map(serde_json::from_str).transpose()?,
    })
}

fn is_of(event: &Logged, project: Option<&str>) -> bool {
    let said = event.body.as_ref().and_then(|body| body.get("project")).and_then(Value::as_str);
    project.is_none_or(|project| said == Some(project))
}

/// Reads events after a sequence number, without their bodies.
pub(super) async fn traces(shared: &Shared, after: i64, limit: usize) -> Result<Vec<EventHeader>> {
    let rows = shared.pool.query(TRACES, &[int(&after), int(&most(limit))]).await?;
    let trace = |row: &Row| {
        let decision = number_of(get(row, 2)?).map(|number| shared.numbering.id(number));
        Ok(EventHeader { seq: get(row, 0)?, tag: get(row, 1)?, decision })
    };
    rows.iter().map(trace).collect()
}

/// Returns the head of the log.
pub(super) async fn head(pool: &Pool) -> Result<Head> {
    let rows = pool.query(HEAD, &[]).await?;
    let Some(row) = rows.first() else {
        return Err(crate::Error::Corrupt("the end of the log is not known; restore a backup".into()).into());
    };
    // A newer node may have changed the tables meanwhile, which this one cannot use.
    migrate::refuse_newer(get(row, 3)?)?;
    let clock = match pool.address.clock {
        Clock::Database => Some(Timestamp::from_millis(get(row, 2)?)),
        Clock::Caller => None,
    };
    let skew = Span::from_millis(get::<Option<i64>>(row, 4)?.unwrap_or_default());
    Ok(Head { seq: get(row, 0)?, at: get::<Option<i64>>(row, 1)?.map(Timestamp::from_millis), clock, skew })
}

/// Checks that the database accepts writes, which a standby does not.
pub(super) async fn writable(pool: &Pool) -> Result<()> {
    let rows = pool.query("SELECT pg_is_in_recovery()", &[]).await?;
    match rows.first().map(|row| get::<bool>(row, 0)).transpose()? {
        Some(true) => Err(crate::Error::ReadOnly("the database is a standby".into()).into()),
        _ => Ok(()),
    }
}

/// Reads raw rows as they are, damaged or not.
pub(super) async fn links(pool: &Pool, after: i64, limit: usize) -> Result<Vec<LogRow>> {
    let limit = most(limit);
    let rows = pool.query(LINKS, &[int(&after), int(&limit)]).await?;
    rows.iter().map(|row| link(row, 0)).collect()
}

/// Reads raw rows of one stream after a version.
pub(super) async fn stream(pool: &Pool, stream: &str, after: i64) -> Result<Vec<LogRow>> {
    let (streams, after) = (vec![stream], vec![after]);
    let rows = pool.query(STREAMS, &[texts(&streams), ints(&after)]).await?;
    rows.iter().map(|row| link(row, 0)).collect()
}

/// Reads an event from ten columns, the first of which is given.
pub(super) fn link(row: &Row, first: usize) -> Result<LogRow> {
    let hash = |column| get::<&[u8]>(row, column).map(hex);
    Ok(LogRow {
        seq: get(row, first)?,
        stream: get(row, first + 1)?,
        version: get(row, first + 2)?,
        tag: get(row, first + 3)?,
        at: get(row, first + 4)?,
        body: get(row, first + 5)?,
        body_hash: hash(first + 6)?,
        prev: hash(first + 7)?,
        hash: hash(first + 8)?,
        proof: get(row, first + 9)?,
    })
}

/// Reads the hashes of events after a sequence number.
pub(super) async fn hashes(pool: &Pool, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>> {
    let mut hashes = Vec::with_capacity(limit);
    for row in pool.query(HASHES, &[int(&after), int(&most(limit))]).await? {
        let seq: i64 = get(&row, 0)?;
        let damaged = |_| crate::Error::Corrupt(format!("the hash of event {seq} is damaged"));
        hashes.push((seq, Hash::try_from(get::<&[u8]>(&row, 1)?).map_err(damaged)?));
    }
    Ok(hashes)
}
