//! Signed statements of where the log stands.

use holdpoint_core::Timestamp;
use rusqlite::{Connection, TransactionBehavior, params};

use super::{load, migrate};
use crate::chain::{self, Hash, hex};
use crate::{Checkpoint, CheckpointPolicy, Options, Result, Signer};

/// Signs the head in the transaction that moved it, if that is the policy.
pub(super) fn with_commit(
    connection: &Connection,
    options: &Options,
    seq: i64,
    hash: &Hash,
    at: Timestamp,
) -> Result<()> {
    let Some(signer) = &options.signer else { return Ok(()) };
    let is_time = match options.policy {
        CheckpointPolicy::EveryCommit => true,
        CheckpointPolicy::EveryEvents(events) => seq - last(connection)? >= events,
    };
    if is_time { sign(connection, signer.as_ref(), seq, hash, at).map(drop) } else { Ok(()) }
}

/// Signs the head, if it is not signed yet.
pub(super) fn at_head(
    connection: &mut Connection,
    options: &Options,
    now: Timestamp,
) -> Result<Option<Checkpoint>> {
    let Some(signer) = &options.signer else { return Ok(None) };
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let Some((seq, hash, at)) = load::head(&tx)? else { return Ok(None) };
    if last(&tx)? >= seq {
        return Ok(None);
    }
    let point = sign(&tx, signer.as_ref(), seq, &hash, now.max(at))?;
    tx.commit()?;
    Ok(Some(point))
}

/// Returns whether the head is signed, or there is nothing to sign.
pub(super) fn is_signed(connection: &Connection) -> Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT coalesce((SELECT max(seq) FROM event), 0) <= coalesce((SELECT max(seq) FROM checkpoint), 0)",
    )?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Lists all checkpoints, oldest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<Checkpoint>> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, hash, at, key, public_key, signature FROM checkpoint JOIN key ON key.id = checkpoint.key ORDER BY seq",
    )?;
    let points = statement.query_map([], |row| {
        Ok(Checkpoint {
            seq: row.get(0)?,
            hash: row.get(1)?,
            at: Timestamp::from_millis(row.get(2)?),
            key: row.get(3)?,
            public_key: row.get(4)?,
            signature: row.get(5)?,
        })
    })?;
    Ok(points.collect::<rusqlite::Result<_>>()?)
}

fn last(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM checkpoint")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

fn sign(
    connection: &Connection,
    signer: &dyn Signer,
    seq: i64,
    hash: &Hash,
    at: Timestamp,
) -> Result<Checkpoint> {
    let (key, hash) = (signer.key(), hex(hash));
    let signature = signer.sign(&chain::checkpoint_message(seq, &hash, &at.to_string(), &key));
    let point = Checkpoint { seq, hash, at, key, public_key: signer.public_key(), signature };
    let mut statement =
        connection.prepare_cached("INSERT OR IGNORE INTO key (id, public_key) VALUES (?1, ?2)")?;
    statement.execute([&point.key, &point.public_key])?;
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO checkpoint (seq, hash, at, key, signature) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    statement.execute(params![point.seq, point.hash, point.at.as_millis(), point.key, point.signature])?;
    Ok(point)
}
