//! Deletes idempotency keys by age.

use holdpoint_core::Timestamp;
use rusqlite::{Connection, params};

use crate::Result;

const FORGET: &str = "DELETE FROM idempotency WHERE (project, credential, key) IN (\
    SELECT project, credential, key FROM idempotency INDEXED BY idempotency_by_age \
    WHERE at < ?1 ORDER BY at LIMIT ?2)";

/// Returns whether no key was used before a time.
pub(super) fn are_young(connection: &Connection, before: Timestamp) -> Result<bool> {
    let mut statement = connection
        .prepare_cached("SELECT 1 FROM idempotency INDEXED BY idempotency_by_age WHERE at < ?1 LIMIT 1")?;
    Ok(!statement.exists([before.as_millis()])?)
}

/// Deletes keys that were used before a time, at most this many; returns how many.
pub(super) fn forget(tx: &Connection, before: Timestamp, limit: usize) -> Result<usize> {
    Ok(tx.prepare_cached(FORGET)?.execute(params![before.as_millis(), limit])?)
}
