//! The outbox: claims rows under a lease, and records the results of their delivery.
//!
//! A reader finds the rows by index alone; they are then leased under the write lock if they are still available.

mod find;

use holdpoint_core::{Lane, Numbering, Refusal, Timestamp};
use rusqlite::{Connection, Row, ToSql, params};

pub(super) use find::{FoundRows, find};

use super::pool::Reader;
use crate::port::HELD_WORTH;
use crate::{Backlog, Claim, Delivery, Error, OutboxEntry, OutboxState, Result};

const BURY: &str = "UPDATE outbox SET state = 'dead', leased_by = NULL, \
    last_error = coalesce(last_error || '; ', '') || 'it could not be delivered in time' \
    WHERE id = ?1 AND state = 'queued' AND not_before <= ?2";
const LEASE: &str = "UPDATE outbox SET leased_by = ?2, not_before = ?3 \
    WHERE id = ?1 AND state = 'queued' AND not_before <= ?4 \
    RETURNING id, seq, lane, project, target, decision, attempts, not_after, last_error, held";
const DONE: &str = "DELETE FROM outbox WHERE id = ?1 AND leased_by = ?2";
const RETRY: &str = "UPDATE outbox SET attempts = attempts + 1, last_error = ?4, held = NULL, leased_by = NULL, \
    not_before = ?3, state = CASE WHEN ?3 > not_after THEN 'dead' ELSE 'queued' END WHERE id = ?1 AND leased_by = ?2";
// A held-back row stays deliverable for a minimum time after it is due.
const HELD: &str = "UPDATE outbox SET held = ?5, lane = ?4, leased_by = NULL, not_before = ?3, \
    not_after = max(not_after, ?3 + ?6) WHERE id = ?1 AND leased_by = ?2";
const DEAD: &str = "UPDATE outbox SET attempts = attempts + 1, last_error = ?3, leased_by = NULL, state = 'dead' \
    WHERE id = ?1 AND leased_by = ?2";
const RESEND: &str =
    "UPDATE outbox SET state = 'queued', attempts = 0, not_before = 0, not_after = ?2, held = NULL, \
    leased_by = NULL
    WHERE id = ?1";
const ENTRIES: &str =
    "SELECT id, seq, lane, project, target, decision, attempts, not_after, last_error, held FROM outbox";

/// Leases the rows that are still available; those that are too late become dead letters.
pub(super) fn lease(
    tx: &Connection,
    numbering: Numbering,
    claim: &Claim,
    found: &FoundRows,
) -> Result<Vec<OutboxEntry>> {
    let (now, until) = (claim.now.as_millis(), claim.until.as_millis());
    for id in &found.late {
        tx.prepare_cached(BURY)?.execute(params![id, now])?;
    }
    let mut taken = Vec::with_capacity(found.due.len());
    for id in &found.due {
        let mut statement = tx.prepare_cached(LEASE)?;
        let rows = statement.query_map(params![id, claim.lease, until, now], |row| entry(row, numbering))?;
        for row in rows {
            taken.push(row?);
        }
    }
    Ok(taken)
}

/// Records the results of deliveries. Those of a caller that lost the lease are ignored.
pub(super) fn deliver(tx: &Connection, lease: &str, deliveries: &[(i64, Delivery)]) -> Result<()> {
    for (entry, delivery) in deliveries {
        match delivery {
            Delivery::Done => tx.prepare_cached(DONE)?.execute(params![entry, lease])?,
            Delivery::Retry { not_before, error } => {
                tx.prepare_cached(RETRY)?.execute(params![entry, lease, not_before.as_millis(), error])?
            }
            Delivery::Held { until, lane, why } => {
                let (until, most) = (until.as_millis(), HELD_WORTH.as_millis());
                tx.prepare_cached(HELD)?.execute(params![entry, lease, until, lane.name(), why, most])?
            }
            Delivery::Dead { error } => tx.prepare_cached(DEAD)?.execute(params![entry, lease, error])?,
            Delivery::Resend { not_after } => {
                let resent = tx.prepare_cached(RESEND)?.execute(params![entry, not_after.as_millis()])?;
                if resent == 0 {
                    let id = entry.to_string();
                    return Err(Error::Refused(Refusal::NotFound { what: "outbox row", id }));
                }
                resent
            }
        };
    }
    Ok(())
}

/// Lists rows in a state, oldest first.
pub(super) fn entries(
    reader: &Reader,
    state: OutboxState,
    lane: Option<Lane>,
    limit: usize,
) -> Result<Vec<OutboxEntry>> {
    // The state is part of the SQL text, so that partial indexes can be used.
    let state = state.name();
    let lane = lane.map(Lane::name);
    let (only, params): (&str, Vec<&dyn ToSql>) = match &lane {
        Some(lane) => ("AND lane = ?2", vec![&limit, lane]),
        None => ("", vec![&limit]),
    };
    let sql = format!("{ENTRIES} WHERE state = '{state}' {only} ORDER BY id LIMIT ?1");
    let mut statement = reader.connection.prepare_cached(&sql)?;
    let entries = statement.query_map(params.as_slice(), |row| entry(row, reader.numbering))?;
    Ok(entries.collect::<rusqlite::Result<_>>()?)
}

/// Counts the undelivered rows.
pub(super) fn backlog(connection: &Connection) -> Result<Backlog> {
    let mut statement = connection.prepare_cached(
        "SELECT (SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE state = 'queued'), \
         (SELECT count(*) FROM outbox INDEXED BY outbox_dead WHERE state = 'dead')",
    )?;
    Ok(statement.query_row([], |row| Ok(Backlog { queued: row.get(0)?, dead: row.get(1)? }))?)
}

fn entry(row: &Row<'_>, numbering: Numbering) -> rusqlite::Result<OutboxEntry> {
    let lane: String = row.get(2)?;
    let unknown =
        || rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, lane.clone().into());
    Ok(OutboxEntry {
        id: row.get(0)?,
        seq: row.get(1)?,
        lane: Lane::from_name(&lane).ok_or_else(unknown)?,
        project: row.get(3)?,
        target: row.get(4)?,
        decision: row.get::<_, Option<i64>>(5)?.map(|number| numbering.id(number)),
        attempts: row.get(6)?,
        not_after: Timestamp::from_millis(row.get(7)?),
        last_error: row.get(8)?,
        held: row.get(9)?,
    })
}
