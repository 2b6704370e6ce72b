//! Signed statements of where the log stands.

use holdpoint_core::Timestamp;

use super::Shared;
use super::commit::BEGIN;
use super::connection::{Connection, Send, get, int, send, text};
use super::fault::{Fault, Result};
use super::pool::{Patience, Pool};
use crate::chain::{self, Hash, hex};
use crate::plan::Snapshot;
use crate::{Checkpoint, CheckpointPolicy, Error, Options, Signer};

const KEY: &str = "INSERT INTO hp.key (id, public_key) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
const POINT: &str = "INSERT INTO hp.checkpoint (seq, hash, at, key, signature) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (seq) DO UPDATE SET hash = excluded.hash, at = excluded.at, key = excluded.key, \
    signature = excluded.signature";
const UNSIGNED: &str = "SELECT 1 FROM hp.head WHERE seq > (SELECT coalesce(max(seq), 0) FROM hp.checkpoint)";
const HEAD: &str = "SELECT seq, hash, at FROM hp.head FOR UPDATE";
const LAST: &str = "SELECT coalesce(max(seq), 0), floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, \
    set_config('idle_in_transaction_session_timeout', '15000', true) FROM hp.checkpoint";
const ALL: &str = "SELECT p.seq, p.hash, p.at, p.key, k.public_key, p.signature \
    FROM hp.checkpoint AS p JOIN hp.key AS k ON k.id = p.key ORDER BY p.seq";

/// Signs the head that a batch moves, if that is the policy.
pub(super) fn with_commit(options: &Options, snapshot: &Snapshot, last: i64) -> Option<Checkpoint> {
    let signer = options.signer.as_ref()?;
    let is_time = match options.policy {
        CheckpointPolicy::EveryCommit => true,
        CheckpointPolicy::EveryEvents(events) => snapshot.seq() - last >= events,
    };
    is_time.then_some(())?;
    Some(sign(signer.as_ref(), snapshot.seq(), snapshot.hash(), snapshot.at()?))
}

/// Signs the head, if it is not signed yet.
pub(super) async fn at_head(shared: &Shared, now: Timestamp) -> Result<Option<Checkpoint>> {
    let Some(signer) = &shared.options.signer else { return Ok(None) };
    // Most looks find it signed: they need no lock.
    if shared.pool.query(UNSIGNED, &[]).await?.is_empty() {
        return Ok(None);
    }
    let mut patience = Patience::new();
    loop {
        let connection = shared.pool.take().await?;
        match sign_head(&connection, shared, signer.as_ref(), now).await {
            Ok(point) => {
                shared.pool.put(connection);
                return Ok(point);
            }
            // Signed twice is signed once: the second finds it done.
            Err(fault) if fault.may_pass() => patience.nap(fault).await?,
            Err(fault) => return Err(fault),
        }
    }
}

async fn sign_head(
    connection: &Connection,
    shared: &Shared,
    signer: &dyn Signer,
    now: Timestamp,
) -> Result<Option<Checkpoint>> {
    let sends = [send(BEGIN, &[]), send(HEAD, &[]), send(LAST, &[])];
    let answers = connection.pipeline(&sends).await?;
    let (Some(head), Some(last)) = (answers[1].first(), answers[2].first()) else {
        return Err(Fault::Lost("not everything that was asked was answered".into()));
    };
    let (seq, at): (i64, Option<i64>) = (get(head, 0)?, get(head, 2)?);
    let (Some(at), true) = (at, get::<i64>(last, 0)? < seq) else {
        connection.query("ROLLBACK", &[]).await?;
        return Ok(None);
    };
    let hash = Hash::try_from(get::<&[u8]>(head, 1)?)
        .map_err(|_| Error::Corrupt(format!("the hash of event {seq} is damaged")))?;
    let now = match shared.pool.address.time(now) {
        Some(millis) => millis,
        None => get(last, 1)?,
    };
    let point = sign(signer, seq, &hash, Timestamp::from_millis(now.max(at)));
    let bound = Bound::of(&point);
    let mut sends = Vec::from(bound.sends());
    sends.push(send("COMMIT", &[]));
    connection.pipeline(&sends).await?;
    Ok(Some(point))
}

/// Lists all checkpoints, oldest first.
pub(super) async fn all(pool: &Pool) -> Result<Vec<Checkpoint>> {
    let mut points = Vec::new();
    for row in pool.query(ALL, &[]).await? {
        points.push(Checkpoint {
            seq: get(&row, 0)?,
            hash: get(&row, 1)?,
            at: Timestamp::from_millis(get(&row, 2)?),
            key: get(&row, 3)?,
            public_key: get(&row, 4)?,
            signature: get(&row, 5)?,
        });
    }
    Ok(points)
}

/// A checkpoint, ready to be bound.
pub(super) struct Bound<'a> {
    point: &'a Checkpoint,
    at: i64,
}

impl<'a> Bound<'a> {
    pub(super) fn of(point: &'a Checkpoint) -> Self {
        Self { point, at: point.at.as_millis() }
    }

    /// Returns the statements that write it.
    pub(super) fn sends(&self) -> [Send<'_>; 2] {
        let Checkpoint { seq, hash, key, public_key, signature, .. } = self.point;
        [
            send(KEY, &[text(key), text(public_key)]),
            send(POINT, &[int(seq), text(hash), int(&self.at), text(key), text(signature)]),
        ]
    }
}

fn sign(signer: &dyn Signer, seq: i64, hash: &Hash, at: Timestamp) -> Checkpoint {
    let (key, hash) = (signer.key(), hex(hash));
    let signature = signer.sign(&chain::checkpoint_message(seq, &hash, &at.to_string(), &key));
    Checkpoint { seq, hash, at, key, public_key: signer.public_key(), signature }
}
