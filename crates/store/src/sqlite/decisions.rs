//! Finds decisions by number, prefix, deadline, escalation and age.

use holdpoint_core::{Decision, DecisionId, Status, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::pool::Reader;
use crate::{Result, prefix};

/// The length of a full id after `dcn-`.
pub(super) const WHOLE: usize = 12;

/// Finds the row numbers of pending decisions whose deadline is at or before a time, most overdue first.
pub(super) const DUE: &str =
    "SELECT n FROM decision WHERE status = 'pending' AND deadline <= ?1 ORDER BY deadline, n LIMIT ?2";
const NEXT_DEADLINE: &str = "SELECT deadline FROM decision \
    WHERE status = 'pending' AND deadline IS NOT NULL ORDER BY deadline, n LIMIT 1";
const OLDEST: &str = "SELECT created_at FROM decision INDEXED BY decision_pending \
    WHERE status = 'pending' AND (deadline IS NULL OR deadline > ?1) ORDER BY n LIMIT 1";
const ESCALATING: &str = "SELECT n FROM decision \
    WHERE status = 'pending' AND escalates_at <= ?1 ORDER BY escalates_at, n LIMIT ?2";
const NEXT_ESCALATION: &str = "SELECT escalates_at FROM decision \
    WHERE status = 'pending' AND escalates_at IS NOT NULL ORDER BY escalates_at, n LIMIT 1";
const SETTLED: &str = "SELECT n FROM decision WHERE settled_at < ?1 AND (?2 IS NULL OR project = ?2) \
    ORDER BY settled_at, n LIMIT ?3";

/// Returns the decision in a row.
pub(super) fn by_number(connection: &Connection, number: i64) -> Result<Option<Decision>> {
    let mut statement = connection.prepare_cached("SELECT doc FROM decision WHERE n = ?1")?;
    let mut rows = statement.query([number])?;
    rows.next()?.map(|row| doc(row, 0)).transpose()
}

/// Reads the decision in a column.
pub(super) fn doc(row: &Row<'_>, column: usize) -> Result<Decision> {
    let text = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
    Ok(serde_json::from_str(text)?)
}

/// Lists the ids that start with a prefix, in the order they were asked.
pub(super) fn find(reader: &Reader, start: &str, limit: usize) -> Result<Vec<DecisionId>> {
    let mut found = Vec::new();
    let mut keep = |number: i64| -> Result<bool> {
        if found.len() < limit && exists(&reader.connection, number)? {
            found.push(reader.numbering.id(number));
        }
        Ok(found.len() < limit)
    };
    if let Some(number) = prefix::exact(reader.numbering, start) {
        keep(number)?;
    } else {
        for number in prefix::candidates(reader.numbering, start, last_number(&reader.connection)?) {
            if !keep(number)? {
                break;
            }
        }
    }
    Ok(found)
}

/// Returns how many characters identify each id.
pub(super) fn prefix_lengths(reader: &Reader, ids: &[DecisionId]) -> Result<Vec<usize>> {
    Ok(prefix::lengths(reader.numbering, ids, last_number(&reader.connection)?))
}

/// Returns how many decisions have each status.
pub(super) fn counts(connection: &Connection, project: Option<&str>) -> Result<Vec<(Status, u64)>> {
    let mut statement = connection.prepare_cached(
        "SELECT status, sum(n) FROM counter WHERE ?1 IS NULL OR project = ?1 GROUP BY status",
    )?;
    let rows = statement.query_map([project], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?)))?;
    let kept: Vec<(String, u64)> = rows.collect::<rusqlite::Result<_>>()?;
    let count = |status: Status| kept.iter().find(|(name, _)| name == status.name()).map_or(0, |(_, n)| *n);
    Ok(Status::ALL.into_iter().map(|status| (status, count(status))).collect())
}

/// Returns the earliest deadline of a pending decision.
pub(super) fn next_deadline(connection: &Connection) -> Result<Option<Timestamp>> {
    let mut statement = connection.prepare_cached(NEXT_DEADLINE)?;
    Ok(statement.query_row([], |row| row.get(0)).optional()?.map(Timestamp::from_millis))
}

/// Returns when the oldest pending decision was asked.
pub(super) fn oldest_pending(connection: &Connection, now: Timestamp) -> Result<Option<Timestamp>> {
    let mut statement = connection.prepare_cached(OLDEST)?;
    let asked = statement.query_row([now.as_millis()], |row| row.get(0)).optional()?;
    Ok(asked.map(Timestamp::from_millis))
}

/// Lists pending decisions that are overdue, most overdue first.
pub(super) fn due(reader: &Reader, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
    let mut statement = reader.connection.prepare_cached(DUE)?;
    let ids =
        statement.query_map(params![now.as_millis(), limit], |row| Ok(reader.numbering.id(row.get(0)?)))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Returns when the next escalation step is due.
pub(super) fn next_escalation(connection: &Connection) -> Result<Option<Timestamp>> {
    let mut statement = connection.prepare_cached(NEXT_ESCALATION)?;
    Ok(statement.query_row([], |row| row.get(0)).optional()?.map(Timestamp::from_millis))
}

/// Lists pending decisions with an escalation step due, most overdue first.
pub(super) fn escalating(reader: &Reader, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
    let mut statement = reader.connection.prepare_cached(ESCALATING)?;
    let ids =
        statement.query_map(params![now.as_millis(), limit], |row| Ok(reader.numbering.id(row.get(0)?)))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Lists decisions that were settled before a time, oldest first.
pub(super) fn settled_before(
    reader: &Reader,
    before: Timestamp,
    project: Option<&str>,
    limit: usize,
) -> Result<Vec<DecisionId>> {
    let mut statement = reader.connection.prepare_cached(SETTLED)?;
    let row = params![before.as_millis(), project, limit];
    let ids = statement.query_map(row, |row| Ok(reader.numbering.id(row.get(0)?)))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

fn exists(connection: &Connection, number: i64) -> Result<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM decision WHERE n = ?1")?.exists([number])?)
}

fn last_number(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE name = 'last_number'")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::list::tests::plan_of;

    #[test]
    fn deadlines_and_ages_walk_their_indexes() {
        for (sql, index) in [
            (DUE, "decision_deadline"),
            (NEXT_DEADLINE, "decision_deadline"),
            (OLDEST, "decision_pending"),
            (ESCALATING, "decision_escalation"),
            (NEXT_ESCALATION, "decision_escalation"),
            (SETTLED, "decision_settled"),
        ] {
            let plan = plan_of(sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
