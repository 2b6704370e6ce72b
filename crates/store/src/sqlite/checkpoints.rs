//! Checkpoints: signed statements about the log.

use holdpoint_core::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::{Checkpoint, Result};

/// Saves a checkpoint.
pub(super) fn save(connection: &Connection, point: &Checkpoint) -> Result<()> {
    let mut statement =
        connection.prepare_cached("INSERT OR IGNORE INTO key (id, public_key) VALUES (?1, ?2)")?;
    statement.execute([&point.key, &point.public_key])?;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO checkpoint (seq, hash, at, key, signature, root, prior) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let Checkpoint { seq, hash, at, key, signature, root, prior, .. } = point;
    statement.execute(params![seq, hash, at.as_millis(), key, signature, root, prior])?;
    Ok(())
}

/// Lists all checkpoints, oldest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<Checkpoint>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, hash, at, key, public_key, signature, root, prior \
         FROM checkpoint JOIN key ON key.id = checkpoint.key ORDER BY seq, key",
    )?;
    let points = statement.query_map([], point)?;
    Ok(points.collect::<rusqlite::Result<_>>()?)
}

/// Lists checkpoints with a tree that cover an event, oldest first.
pub(super) fn covering(connection: &Connection, seq: i64, limit: usize) -> Result<Vec<Checkpoint>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, hash, at, key, public_key, signature, root, prior \
         FROM checkpoint JOIN key ON key.id = checkpoint.key \
         WHERE seq >= ?1 AND root IS NOT NULL ORDER BY seq, key LIMIT ?2",
    )?;
    let points = statement.query_map(params![seq, limit], point)?;
    Ok(points.collect::<rusqlite::Result<_>>()?)
}

/// Returns the last checkpoint with a tree that a key signed.
pub(super) fn last(connection: &Connection, public_key: &str) -> Result<Option<Checkpoint>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, hash, at, key, public_key, signature, root, prior \
         FROM checkpoint JOIN key ON key.id = checkpoint.key \
         WHERE public_key = ?1 AND root IS NOT NULL ORDER BY seq DESC LIMIT 1",
    )?;
    Ok(statement.query_row([public_key], point).optional()?)
}

fn point(row: &Row<'_>) -> rusqlite::Result<Checkpoint> {
    Ok(Checkpoint {
        seq: row.get(0)?,
        hash: row.get(1)?,
        at: Timestamp::from_millis(row.get(2)?),
        key: row.get(3)?,
        public_key: row.get(4)?,
        signature: row.get(5)?,
        root: row.get(6)?,
        prior: row.get(7)?,
    })
}
