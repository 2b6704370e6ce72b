//! Finds decisions by number, prefix, deadline, escalation and age.

use holdpoint_core::{Decision, DecisionId, Status, Timestamp};
use tokio_postgres::Row;

use super::connection::{get, int, ints, maybe_int, text};
use super::error::Result;
use super::pool::Pool;
use super::shared::Shared;
use crate::prefix;

const DUE: &str = "SELECT n FROM hp.decision WHERE status = 'pending' AND deadline <= coalesce($1, hp.clock()) \
    ORDER BY deadline, n LIMIT $2";
const NEXT_DEADLINE: &str = "SELECT deadline FROM hp.decision \
    WHERE status = 'pending' AND deadline IS NOT NULL ORDER BY deadline, n LIMIT 1";
const OLDEST: &str = "SELECT created_at FROM hp.decision WHERE status = 'pending' \
    AND (deadline IS NULL OR deadline > coalesce($1, hp.clock())) ORDER BY n LIMIT 1";
const ESCALATING: &str = "SELECT n FROM hp.decision \
    WHERE status = 'pending' AND escalates_at <= coalesce($1, hp.clock()) ORDER BY escalates_at, n LIMIT $2";
const NEXT_ESCALATION: &str = "SELECT escalates_at FROM hp.decision \
    WHERE status = 'pending' AND escalates_at IS NOT NULL ORDER BY escalates_at, n LIMIT 1";
const SETTLED: &str = "SELECT n FROM hp.decision WHERE settled_at < $1 AND ($2 IS NULL OR project = $2) \
    ORDER BY settled_at, n LIMIT $3";
const EXIST: &str = "SELECT n FROM hp.decision WHERE n = ANY($1) ORDER BY n";
const LAST_NUMBER: &str = "SELECT value FROM hp.meta WHERE name = 'last_number'";

/// How many numbers are looked up at a time.
const CHUNK: usize = 500;

/// Returns the decision in a row.
pub(super) async fn by_number(pool: &Pool, number: i64) -> Result<Option<Decision>> {
    let rows = pool.query("SELECT doc FROM hp.decision WHERE n = $1", &[int(&number)]).await?;
    rows.first().map(|row| doc(row, 0)).transpose()
}

/// Returns the decisions in some rows.
pub(super) async fn by_numbers(pool: &Pool, numbers: &[i64]) -> Result<Vec<Decision>> {
    let numbers = numbers.to_vec();
    let rows = pool.query("SELECT doc FROM hp.decision WHERE n = ANY($1)", &[ints(&numbers)]).await?;
    rows.iter().map(|row| doc(row, 0)).collect()
}

/// Reads the decision in a column.
pub(super) fn doc(row: &Row, column: usize) -> Result<Decision> {
    Ok(serde_json::from_str(get(row, column)?)?)
}

/// Lists the ids that start with a prefix, in the order they were asked.
pub(super) async fn find(shared: &Shared, start: &str, limit: usize) -> Result<Vec<DecisionId>> {
    let (pool, numbering) = (&shared.pool, shared.numbering);
    if let Some(number) = prefix::exact(numbering, start) {
        let found = exist(pool, &[number]).await?;
        return Ok(found.into_iter().take(limit).map(|number| numbering.id(number)).collect());
    }
    let (last, prefix) = (last_number(pool).await?, start.to_owned());
    // Off the async threads, because the permutation is run over all numbers in use.
    let candidates = tokio::task::spawn_blocking(move || {
        prefix::candidates(numbering, &prefix, last).collect::<Vec<i64>>()
    });
    let candidates = candidates.await.map_err(|why| crate::Error::Unavailable(why.to_string()))?;
    let mut found = Vec::new();
    for chunk in candidates.chunks(CHUNK) {
        found.extend(exist(pool, chunk).await?.into_iter().map(|number| numbering.id(number)));
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}

/// Returns how many characters identify each id.
pub(super) async fn prefix_lengths(shared: &Shared, ids: &[DecisionId]) -> Result<Vec<usize>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (numbering, ids, last) = (shared.numbering, ids.to_vec(), last_number(&shared.pool).await?);
    let lengths = tokio::task::spawn_blocking(move || prefix::lengths(numbering, &ids, last));
    Ok(lengths.await.map_err(|why| crate::Error::Unavailable(why.to_string()))?)
}

/// Returns how many decisions have each status.
pub(super) async fn counts(pool: &Pool, project: Option<&str>) -> Result<Vec<(Status, u64)>> {
    let sql =
        "SELECT status, sum(n)::bigint FROM hp.counter WHERE $1 IS NULL OR project = $1 GROUP BY status";
    let mut kept = Vec::new();
    for row in pool.query(sql, &[text(&project)]).await? {
        kept.push((get::<String>(&row, 0)?, u64::try_from(get::<i64>(&row, 1)?).unwrap_or_default()));
    }
    let count = |status: Status| kept.iter().find(|(name, _)| name == status.name()).map_or(0, |(_, n)| *n);
    Ok(Status::ALL.into_iter().map(|status| (status, count(status))).collect())
}

/// Returns the earliest deadline of a pending decision.
pub(super) async fn next_deadline(pool: &Pool) -> Result<Option<Timestamp>> {
    let rows = pool.query(NEXT_DEADLINE, &[]).await?;
    rows.first().map(|row| get(row, 0).map(Timestamp::from_millis)).transpose()
}

/// Returns when the oldest pending decision was asked.
pub(super) async fn oldest_pending(pool: &Pool, now: Timestamp) -> Result<Option<Timestamp>> {
    let rows = pool.query(OLDEST, &[maybe_int(&pool.address.time(now))]).await?;
    rows.first().map(|row| get(row, 0).map(Timestamp::from_millis)).transpose()
}

/// Lists pending decisions that are overdue, most overdue first.
pub(super) async fn due(shared: &Shared, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
    let (time, limit) = (shared.pool.address.time(now), most(limit));
    ids(shared, &shared.pool.query(DUE, &[maybe_int(&time), int(&limit)]).await?)
}

/// Returns when the next escalation step is due.
pub(super) async fn next_escalation(pool: &Pool) -> Result<Option<Timestamp>> {
    let rows = pool.query(NEXT_ESCALATION, &[]).await?;
    rows.first().map(|row| get(row, 0).map(Timestamp::from_millis)).transpose()
}

/// Lists pending decisions with an escalation step due, most overdue first.
pub(super) async fn escalating(shared: &Shared, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
    let (time, limit) = (shared.pool.address.time(now), most(limit));
    ids(shared, &shared.pool.query(ESCALATING, &[maybe_int(&time), int(&limit)]).await?)
}

/// Lists decisions that were settled before a time, oldest first.
pub(super) async fn settled_before(
    shared: &Shared,
    before: Timestamp,
    project: Option<&str>,
    limit: usize,
) -> Result<Vec<DecisionId>> {
    let (before, limit) = (before.as_millis(), most(limit));
    ids(shared, &shared.pool.query(SETTLED, &[int(&before), text(&project), int(&limit)]).await?)
}

/// Returns a limit in the database's type.
pub(super) fn most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn ids(shared: &Shared, rows: &[Row]) -> Result<Vec<DecisionId>> {
    rows.iter().map(|row| Ok(shared.numbering.id(get(row, 0)?))).collect()
}

async fn exist(pool: &Pool, numbers: &[i64]) -> Result<Vec<i64>> {
    pool.query(EXIST, &[ints(&numbers)]).await?.iter().map(|row| get(row, 0)).collect()
}

async fn last_number(pool: &Pool) -> Result<i64> {
    let rows = pool.query(LAST_NUMBER, &[]).await?;
    rows.first().map_or(Ok(0), |row| get(row, 0))
}
