//! Checkpoints: signed statements about the log.

use holdpoint_core::Timestamp;
use tokio_postgres::Row;

use super::commit::BEGIN;
use super::connection::{Send, get, int, maybe_int, send, text};
use super::error::Result;
use super::pool::{Backoff, Pool};
use super::shared::Shared;
use crate::Checkpoint;

const KEY: &str = "INSERT INTO hp.key (id, public_key) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
const POINT: &str = "INSERT INTO hp.checkpoint (seq, hash, at, key, signature, root, prior) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (seq, key) DO UPDATE SET hash = excluded.hash, \
    at = excluded.at, signature = excluded.signature, root = excluded.root, prior = excluded.prior";
const ALL: &str = "SELECT p.seq, p.hash, p.at, p.key, k.public_key, p.signature, p.root, p.prior \
    FROM hp.checkpoint AS p JOIN hp.key AS k ON k.id = p.key ORDER BY p.seq, p.key";

const COVERING: &str = "SELECT p.seq, p.hash, p.at, p.key, k.public_key, p.signature, p.root, p.prior \
    FROM hp.checkpoint AS p JOIN hp.key AS k ON k.id = p.key WHERE p.seq >= $1 AND p.root IS NOT NULL \
    ORDER BY p.seq, p.key LIMIT $2";
const LAST: &str = "SELECT p.seq, p.hash, p.at, p.key, k.public_key, p.signature, p.root, p.prior \
    FROM hp.checkpoint AS p JOIN hp.key AS k ON k.id = p.key WHERE k.public_key = $1 AND p.root IS NOT NULL \
    ORDER BY p.seq DESC LIMIT 1";

/// Saves a checkpoint in a separate transaction.
pub(super) async fn insert_checkpoint(shared: &Shared, point: &Checkpoint) -> Result<()> {
    let bound = CheckpointRow::of(point);
    let mut sends = vec![send(BEGIN, &[])];
    sends.extend(bound.sends());
    sends.push(send("COMMIT", &[]));
    let mut backoff = Backoff::new();
    loop {
        let connection = shared.pool.take().await?;
        match connection.pipeline(&sends).await {
            Ok(_) => {
                shared.pool.put(connection);
                return Ok(());
            }
            // Saving twice is harmless: the second try finds the row and does nothing.
            Err(fault) if fault.may_pass() => backoff.nap(fault).await?,
            Err(fault) => return Err(fault),
        }
    }
}

/// Lists all checkpoints, oldest first.
pub(super) async fn all(pool: &Pool) -> Result<Vec<Checkpoint>> {
    pool.query(ALL, &[]).await?.iter().map(point).collect()
}

/// Lists checkpoints with a tree that cover an event, oldest first.
pub(super) async fn covering(pool: &Pool, seq: i64, limit: usize) -> Result<Vec<Checkpoint>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    pool.query(COVERING, &[int(&seq), int(&limit)]).await?.iter().map(point).collect()
}

/// Returns the last checkpoint with a tree that a key signed.
pub(super) async fn last(pool: &Pool, public_key: &str) -> Result<Option<Checkpoint>> {
    pool.query(LAST, &[text(&public_key)]).await?.first().map(point).transpose()
}

fn point(row: &Row) -> Result<Checkpoint> {
    Ok(Checkpoint {
        seq: get(row, 0)?,
        hash: get(row, 1)?,
        at: Timestamp::from_millis(get(row, 2)?),
        key: get(row, 3)?,
        public_key: get(row, 4)?,
        signature: get(row, 5)?,
        root: get(row, 6)?,
        prior: get(row, 7)?,
    })
}

/// A checkpoint, ready to be bound.
pub(super) struct CheckpointRow<'a> {
    point: &'a Checkpoint,
    at: i64,
}

impl<'a> CheckpointRow<'a> {
    pub(super) fn of(point: &'a Checkpoint) -> Self {
        Self { point, at: point.at.as_millis() }
    }

    /// Returns the statements that write it.
    pub(super) fn sends(&self) -> [Send<'_>; 2] {
        let Checkpoint { seq, hash, key, public_key, signature, root, prior, .. } = self.point;
        let point =
            [int(seq), text(hash), int(&self.at), text(key), text(signature), text(root), maybe_int(prior)];
        [send(KEY, &[text(key), text(public_key)]), send(POINT, &point)]
    }
}
