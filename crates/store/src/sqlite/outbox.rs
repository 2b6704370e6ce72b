//! What waits to be sent: taking it under a lease, and recording how it went.

use holdpoint_core::{Lane, Numbering, Refusal, Timestamp};
use rusqlite::{Connection, Row, TransactionBehavior, params};

use super::migrate;
use super::pool::Reader;
use crate::{Claim, Delivery, Error, Parcel, ParcelState, Result};

const COLUMNS: &str = "id, seq, lane, target, decision, attempts, not_after, last_error";
const TOO_LATE: &str = "it could not be delivered in time";

/// Returns whether there is nothing to take.
pub(super) fn is_quiet(connection: &Connection, claim: &Claim) -> Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM outbox WHERE state = 'queued' AND lane = ?1 AND not_before <= ?2 \
         AND (leased_until IS NULL OR leased_until <= ?2) \
         AND target NOT IN (SELECT value FROM json_each(?3)) \
         AND (?4 = '[]' OR target IN (SELECT value FROM json_each(?4))) LIMIT 1",
    )?;
    let (but, only) = (serde_json::to_string(&claim.but)?, serde_json::to_string(&claim.only)?);
    for lane in &claim.lanes {
        if statement.exists(params![lane.name(), claim.now.as_millis(), but, only])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes rows that are due; those that are too late become dead letters instead.
pub(super) fn claim(connection: &mut Connection, numbering: Numbering, claim: &Claim) -> Result<Vec<Parcel>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let now = claim.now.as_millis();
    let (but, only) = (serde_json::to_string(&claim.but)?, serde_json::to_string(&claim.only)?);
    let mut taken = Vec::new();
    for lane in &claim.lanes {
        let mut late = tx.prepare_cached(
            "UPDATE outbox SET state = 'dead', last_error = coalesce(last_error || '; ', '') || ?3, \
             leased_by = NULL, leased_until = NULL \
             WHERE state = 'queued' AND lane = ?1 AND not_before <= ?2 AND not_after < ?2 \
             AND (leased_until IS NULL OR leased_until <= ?2)",
        )?;
        late.execute(params![lane.name(), now, TOO_LATE])?;
        let mut statement = tx.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM outbox WHERE state = 'queued' AND lane = ?1 AND not_before <= ?2 \
             AND (leased_until IS NULL OR leased_until <= ?2) \
             AND target NOT IN (SELECT value FROM json_each(?4)) \
             AND (?5 = '[]' OR target IN (SELECT value FROM json_each(?5))) ORDER BY id LIMIT ?3"
        ))?;
        let left = claim.limit.saturating_sub(taken.len());
        let rows =
            statement.query_map(params![lane.name(), now, left, but, only], |row| parcel(row, numbering))?;
        for row in rows {
            taken.push(row?);
        }
    }
    let mut lease = tx.prepare_cached("UPDATE outbox SET leased_by = ?2, leased_until = ?3 WHERE id = ?1")?;
    for parcel in &taken {
        lease.execute(params![parcel.id, claim.lease, claim.until.as_millis()])?;
    }
    drop(lease);
    tx.commit()?;
    Ok(taken)
}

/// Records how a delivery went. Whoever lost the lease has no say any more.
pub(super) fn deliver(
    connection: &mut Connection,
    parcel: i64,
    lease: &str,
    delivery: &Delivery,
) -> Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    match delivery {
        Delivery::Done => {
            tx.prepare_cached("DELETE FROM outbox WHERE id = ?1 AND leased_by = ?2")?
                .execute(params![parcel, lease])?;
        }
        Delivery::Retry { not_before, error } => {
            let mut statement = tx.prepare_cached(
                "UPDATE outbox SET attempts = attempts + 1, last_error = ?4, leased_by = NULL, leased_until = NULL, \
                 not_before = ?3, state = CASE WHEN ?3 > not_after THEN 'dead' ELSE 'queued' END \
                 WHERE id = ?1 AND leased_by = ?2",
            )?;
            statement.execute(params![parcel, lease, not_before.as_millis(), error])?;
        }
        Delivery::Dead { error } => {
            let mut statement = tx.prepare_cached(
                "UPDATE outbox SET attempts = attempts + 1, last_error = ?3, leased_by = NULL, leased_until = NULL, \
                 state = 'dead' WHERE id = ?1 AND leased_by = ?2",
            )?;
            statement.execute(params![parcel, lease, error])?;
        }
        Delivery::Resend { not_after } => {
            let mut statement = tx.prepare_cached(
                "UPDATE outbox SET state = 'queued', attempts = 0, not_before = 0, not_after = ?2, leased_by = NULL, \
                 leased_until = NULL WHERE id = ?1",
            )?;
            if statement.execute(params![parcel, not_after.as_millis()])? == 0 {
                return Err(Error::Refused(Refusal::NotFound { what: "outbox row", id: parcel.to_string() }));
            }
        }
    }
    tx.commit()?;
    Ok(())
}

/// Lists rows in a state, oldest first.
pub(super) fn parcels(reader: &Reader, state: ParcelState, limit: usize) -> Result<Vec<Parcel>> {
    let state = match state {
        ParcelState::Queued => "queued",
        ParcelState::Dead => "dead",
    };
    let mut statement = reader
        .connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM outbox WHERE state = ?1 ORDER BY id LIMIT ?2"))?;
    let parcels = statement.query_map(params![state, limit], |row| parcel(row, reader.numbering))?;
    Ok(parcels.collect::<rusqlite::Result<_>>()?)
}

fn parcel(row: &Row<'_>, numbering: Numbering) -> rusqlite::Result<Parcel> {
    let lane: String = row.get(2)?;
    let unknown =
        || rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, lane.clone().into());
    Ok(Parcel {
        id: row.get(0)?,
        seq: row.get(1)?,
        lane: Lane::from_name(&lane).ok_or_else(unknown)?,
        target: row.get(3)?,
        decision: row.get::<_, Option<i64>>(4)?.map(|number| numbering.id(number)),
        attempts: row.get(5)?,
        not_after: Timestamp::from_millis(row.get(6)?),
        last_error: row.get(7)?,
    })
}
