//! Decides a batch of commands and writes the outcome, in one transaction and two round trips.

use std::sync::Arc;
use std::time::Instant;

use holdpoint_core::{Numbering, Span, Timestamp};

use super::address::Clock;
use super::connection::{Connection, bytes, get, int, maybe_int, send};
use super::error::{PgError, Result};
use super::load::{self, BatchNeeds};
use super::queue::Queue;
use super::save::{self, Rows};
use super::shared::Shared;
use super::{checkpoints, credentials, migrate, runs};
use crate::chain::Hash;
use crate::feed::CommitChanges;
use crate::plan::{self, Snapshot, Writes};
use crate::{Error, Outcome, Submission, vouch};

/// Starts a transaction that writes, whatever the database's default is.
pub(super) const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
/// The lock comes first: a writer that waited for it then reads what the previous one has committed.
const HEAD: &str = "SELECT seq, hash, at FROM hp.head FOR UPDATE";
/// A separate statement, so that it sees what was committed while waiting for the lock. The timeout keeps a hanging
/// node from blocking all others, and synchronous commit puts acknowledged batches on disk.
const META: &str = "SELECT (SELECT value FROM hp.meta WHERE name = 'schema'), \
    (SELECT value FROM hp.meta WHERE name = 'key'), (SELECT value FROM hp.meta WHERE name = 'last_number'), \
    (SELECT value FROM hp.meta WHERE name = 'auth_required'), \
    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, \
    (SELECT value FROM hp.meta WHERE name = 'skew'), \
    set_config('idle_in_transaction_session_timeout', '15000', true), \
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END";
const IS_THERE: &str = "SELECT 1 FROM hp.event WHERE seq = $1 AND hash = $2";

/// The result of a batch.
pub(super) struct Committed {
    /// The last event after it.
    pub(super) seq: i64,
    /// The changes to report; none if there is no listener.
    pub(super) news: Option<CommitChanges>,
    /// The outcome of each command.
    pub(super) outcomes: Vec<crate::Result<Outcome>>,
}

/// A batch that was sent, and nobody knows whether it was committed.
pub(super) struct UnconfirmedBatch {
    seq: i64,
    hash: Hash,
    committed: Committed,
}

/// Decides and writes a batch. If an earlier try is in doubt, first finds out whether it was committed.
pub(super) async fn commit(
    connection: &Connection,
    shared: &Shared,
    batch: &mut Vec<Submission>,
    queue: Option<&mut Queue>,
    doubt: &mut Option<UnconfirmedBatch>,
) -> Result<Committed> {
    let wanted = BatchNeeds::of(batch, shared.numbering, &shared.known.rules);
    let started = Instant::now();
    let (seq, hash) = doubt.as_ref().map_or((0, Hash::default()), |doubt| (doubt.seq, doubt.hash));
    let hash = hash.to_vec();
    let time = batch.first().and_then(|first| shared.pool.address.time(first.now));
    let overdue = i64::try_from(plan::OVERDUE).unwrap_or(i64::MAX);
    let last = shared.vouching.committed();
    let (last_seq, last_hash) = last.map_or((0, Vec::new()), |last| (last.seq, last.hash.to_vec()));
    let mut sends = vec![
        send(BEGIN, &[]),
        send(HEAD, &[]),
        send(META, &[]),
        send(IS_THERE, &[int(&seq), bytes(&hash)]),
        send(IS_THERE, &[int(&last_seq), bytes(&last_hash)]),
        send(load::OVERDUE, &[maybe_int(&time), int(&overdue)]),
    ];
    sends.extend(wanted.sends());
    let begun = connection.pipeline(&sends).await?;
    drop(sends);
    let [_, head, meta, is_there, last_there, overdue, loaded @ ..] = begun.as_slice() else {
        return Err(PgError::Lost("not everything that was asked was answered".into()));
    };
    if let Some(done) = doubt.take().filter(|_| !is_there.is_empty()) {
        // Even if the connection is lost here, the outcome is known.
        let _ = connection.query("ROLLBACK", &[]).await;
        return Ok(done.committed);
    }
    let gone = || Error::Corrupt("the end of the log is not known; restore a backup".into());
    let (head, meta) = (head.first().ok_or_else(gone)?, meta.first().ok_or_else(gone)?);
    migrate::check(get(meta, 0)?, get(meta, 1)?, shared.numbering)?;
    let mut snapshot = snapshot(shared.numbering, head, get::<Option<i64>>(meta, 2)?.ok_or_else(gone)?)?;
    let (signer, identity) = (shared.options.signer.as_deref(), &shared.identity);
    shared.vouching.check_end(signer, identity, &snapshot, |_| Ok::<_, PgError>(!last_there.is_empty()))?;
    snapshot.known = Arc::clone(&shared.known);
    snapshot.vouching = Arc::clone(&shared.vouching);
    snapshot.unvouched = shared.vouching.broken().is_some();
    shared.vouching.skip_given_numbers(signer, identity, &mut snapshot);
    // Removing the setting from the table does not open the store.
    snapshot.credentials.auth_required = get::<Option<i64>>(meta, 3)? != Some(0);
    snapshot.skew = Span::from_millis(get::<Option<i64>>(meta, 5)?.unwrap_or_default());
    wanted.put(connection, loaded, &mut snapshot).await?;
    let overdue = load::overdue(overdue, &mut snapshot)?;
    if let Some(queue) = queue {
        join(connection, &mut snapshot, batch, queue).await?;
    }
    load::owners(connection, &mut snapshot).await?;
    load::check(connection, &mut snapshot).await?;
    load::for_rules(connection, &mut snapshot).await?;
    if shared.pool.address.clock == Clock::Database {
        let now = Timestamp::from_millis(get(meta, 4)?);
        for submission in batch.iter_mut() {
            submission.now = now;
        }
    }
    let mut writes = Writes::default();
    let outcomes = decide(&mut snapshot, &mut writes, &overdue, batch);
    if writes.is_empty() {
        connection.query("ROLLBACK", &[]).await?;
        return Ok(Committed { seq: snapshot.seq(), news: None, outcomes });
    }
    if let Some(signer) = &shared.options.signer {
        vouch::seal(&mut writes.events, signer.as_ref(), vouch::StoreReaders::Nodes);
    }
    let news = shared.feed.has_listener().then(|| CommitChanges::of(&snapshot, &writes, started));
    let signing = vouch::with_commit(&shared.options, &shared.identity, &shared.vouching, &writes);
    let point = signing.as_ref().map(|signing| &signing.point);
    let committed = Committed { seq: snapshot.seq(), news, outcomes };
    let Some(first) = writes.events.first() else {
        // Without an event, nothing can be recorded twice by a second try.
        save(connection, shared, &snapshot, &writes, point).await?;
        return Ok(committed);
    };
    *doubt = Some(UnconfirmedBatch { seq: first.seq, hash: first.hash, committed });
    save(connection, shared, &snapshot, &writes, point).await.inspect_err(|fault| {
        // The database itself reported an error, so nothing was committed.
        if !matches!(fault, PgError::Lost(_)) {
            doubt.take();
        }
    })?;
    vouch::after_commit(&shared.options, &shared.identity, &shared.vouching, signing.as_ref(), &writes);
    doubt.take().map(|done| done.committed).ok_or_else(|| gone().into())
}

/// Lets submissions join that arrived while waiting for the lock: behind other nodes, that is most of the time.
async fn join(
    connection: &Connection,
    snapshot: &mut Snapshot,
    batch: &mut Vec<Submission>,
    queue: &mut Queue,
) -> Result<()> {
    let before = batch.len();
    queue.more_if_many(batch);
    let joined = batch.get(before..).unwrap_or_default();
    if joined.is_empty() {
        return Ok(());
    }
    let wanted = BatchNeeds::of(joined, snapshot.numbering(), &snapshot.known.rules);
    let loaded = connection.pipeline(&wanted.sends().collect::<Vec<_>>()).await?;
    wanted.put(connection, &loaded, snapshot).await
}

fn snapshot(numbering: Numbering, head: &tokio_postgres::Row, last_number: i64) -> Result<Snapshot> {
    let seq: i64 = get(head, 0)?;
    let hash = Hash::try_from(get::<&[u8]>(head, 1)?)
        .map_err(|_| Error::Corrupt(format!("the hash of event {seq} is damaged")))?;
    let at = get::<Option<i64>>(head, 2)?.map(Timestamp::from_millis);
    Ok(Snapshot::new(numbering, seq, hash, at, last_number))
}

fn decide(
    snapshot: &mut Snapshot,
    writes: &mut Writes,
    overdue: &[i64],
    batch: &[Submission],
) -> Vec<crate::Result<Outcome>> {
    let mut told = false;
    if let [first, ..] = batch
        && plan::may_write(snapshot, first)
    {
        plan::note_step(snapshot, writes, first.now);
        let now = plan::now(snapshot, first);
        told = plan::expire_overdue(snapshot, writes, overdue, now, &first.routes);
    }
    let decide = |submission| {
        let decided = plan::plan(snapshot, writes, submission)?;
        let outcome = Outcome::from(decided);
        Ok(Outcome { posted: outcome.posted || told, ..outcome })
    };
    batch.iter().map(decide).collect()
}

async fn save(
    connection: &Connection,
    shared: &Shared,
    snapshot: &Snapshot,
    writes: &Writes,
    point: Option<&crate::Checkpoint>,
) -> Result<()> {
    // These are rare, and some must see the effect of the previous one, so they run one by one.
    credentials::save(connection, &writes.credentials).await?;
    runs::save(connection, snapshot, &writes.runs).await?;
    save::withdraw(connection, &writes.withdrawals).await?;
    let rows = Rows::of(snapshot, writes)?;
    let (channel, word) = (shared.pool.address.channel(), format!("{} {}", snapshot.seq(), shared.node));
    let mut sends = rows.sends(&channel, &word);
    let point = point.map(checkpoints::CheckpointRow::of);
    if let Some(point) = &point {
        sends.extend(point.sends());
    }
    // If an earlier statement fails, this rolls the transaction back.
    sends.push(send("COMMIT", &[]));
    connection.pipeline(&sends).await.map(drop)
}
