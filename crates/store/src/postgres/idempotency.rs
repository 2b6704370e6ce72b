//! Deletes idempotency keys by age.

use holdpoint_core::Timestamp;

use super::connection::int;
use super::decisions::most;
use super::error::Result;
use super::pool::Pool;

const FORGET: &str = "DELETE FROM hp.idempotency AS i USING (\
        SELECT project, credential, key FROM hp.idempotency WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) \
        AS old \
    WHERE i.project = old.project AND i.credential = old.credential AND i.key = old.key RETURNING 1";

/// Deletes keys that were used before a time, at most this many; returns how many.
pub(super) async fn forget(pool: &Pool, before: Timestamp, limit: usize) -> Result<usize> {
    Ok(pool.query(FORGET, &[int(&before.as_millis()), int(&most(limit))]).await?.len())
}
