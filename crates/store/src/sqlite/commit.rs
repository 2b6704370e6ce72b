//! Decides a batch of commands and writes the outcome, in one transaction.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::shared::Shared;
use super::{checkpoints, connection, fault, load, migrate, save};
use crate::feed::CommitChanges;
use crate::plan::{self, CommandOutcome, Snapshot, Writes};
use crate::vouch::Identity;
use crate::{Checkpoint, Result, Submission, vouch};

/// How many decisions are kept between batches.
const REMEMBERED: usize = 4_096;

/// The result of a batch.
pub(super) struct Committed {
    /// The last event after it.
    pub(super) seq: i64,
    /// The changes to report; none if there is no listener.
    pub(super) news: Option<CommitChanges>,
    /// Whether anything was written.
    pub(super) wrote: bool,
    /// Whether bodies were erased.
    pub(super) erased: bool,
    /// The outcome of each command.
    pub(super) outcomes: Vec<Result<CommandOutcome>>,
    /// The state to keep for the next batch.
    pub(super) memory: Option<CommitMemory>,
}

/// What a connection knows after its own commit. It is valid only under the lock, and only if SQLite reports that no
/// other connection has written since.
pub(super) struct CommitMemory {
    /// The `data_version` that this connection has seen.
    version: i64,
    snapshot: Snapshot,
}

/// What to do if another process holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockPolicy {
    Wait,
    GiveUp,
}

/// A transaction that holds the lock; it is rolled back unless it is committed. Its statements are prepared once, while
/// those of `rusqlite::Transaction` are prepared each time.
pub(super) struct Transaction<'a> {
    connection: &'a Connection,
    open: bool,
}

impl<'a> Transaction<'a> {
    /// Takes the lock, so that decisions are based on what is loaded under it. Returns none if another process has the
    /// lock and the caller does not want to wait.
    pub(super) fn begin(connection: &'a mut Connection, locked: LockPolicy) -> Result<Option<Self>> {
        match connection.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([])) {
            Err(error) if locked == LockPolicy::GiveUp && fault::is_busy(&error) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(Some(Self { connection, open: true })),
        }
    }

    fn commit(mut self) -> Result<()> {
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        self.open = false;
        Ok(())
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.open {
            // If this fails, SQLite has rolled it back by itself.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// It survives a power cut.
    Synced,
    /// It may be lost in a power cut. The next commit that waits for the disk takes it there as well.
    Unsynced,
}

/// Runs a write in a separate transaction; returns none, and leaves the write where it was, if another process has the
/// lock and the caller does not want to wait.
pub(super) fn write<T>(
    connection: &mut Connection,
    numbering: Numbering,
    durability: Durability,
    locked: LockPolicy,
    work: &mut Option<impl FnOnce(&Connection, Numbering) -> Result<T>>,
) -> Result<Option<T>> {
    let mut run = |connection: &mut Connection| {
        let Some(tx) = Transaction::begin(connection, locked)? else { return Ok(None) };
        migrate::check(&tx)?;
        let Some(work) = work.take() else { return Ok(None) };
        let done = work(&tx, numbering)?;
        tx.commit()?;
        Ok(Some(done))
    };
    match durability {
        Durability::Synced => run(connection),
        Durability::Unsynced => connection::unsynced(connection, run),
    }
}

/// Decides and writes a batch, and saves the checkpoint that was signed meanwhile.
pub(super) fn commit(
    tx: Transaction<'_>,
    numbering: Numbering,
    memory: Option<CommitMemory>,
    shared: &Shared,
    batch: &[&Submission],
    signed: &[&Checkpoint],
) -> Result<Committed> {
    let begun = Instant::now();
    let Shared { place, options, feed, vouching, .. } = shared;
    // State from before the log was found broken may be the cause, so it is dropped.
    let memory = memory.filter(|_| vouching.broken().is_none());
    let (version, mut snapshot) = recall(&tx, numbering, memory)?;
    let identity = identity(place, numbering);
    vouching.check_end(options.signer.as_deref(), &identity, &snapshot, |last| load::is_there(&tx, last))?;
    snapshot.known = Arc::clone(&shared.known);
    snapshot.vouching = Arc::clone(vouching);
    snapshot.unvouched = vouching.broken().is_some();
    vouching.skip_given_numbers(options.signer.as_deref(), &identity, &mut snapshot);
    for submission in batch {
        load::needs(&tx, &mut snapshot, &plan::needs(submission))?;
    }
    load::check(&tx, &mut snapshot)?;
    load::for_rules(&tx, &mut snapshot)?;
    let mut writes = Writes::default();
    let mut told = false;
    if let [first, ..] = batch
        && plan::may_write(&snapshot, first)
    {
        plan::note_step(&mut snapshot, &mut writes, first.now);
        let now = plan::now(&snapshot, first);
        let overdue = load::overdue(&tx, &mut snapshot, now, plan::OVERDUE)?;
        load::check(&tx, &mut snapshot)?;
        told = plan::expire_overdue(&mut snapshot, &mut writes, &overdue, now, &first.routes);
    }
    let decide = |submission: &&Submission| {
        let mut decided = plan::plan(&mut snapshot, &mut writes, submission)?;
        decided.posted |= told;
        Ok(decided)
    };
    let outcomes = batch.iter().map(decide).collect();
    let mut news = None;
    let wrote = !writes.is_empty();
    if wrote {
        if let Some(signer) = &options.signer {
            vouch::seal(&mut writes.events, signer.as_ref(), vouch::StoreReaders::Own);
        }
        news = feed.has_listener().then(|| CommitChanges::of(&snapshot, &writes, begun));
        save::save(&tx, &snapshot, &writes)?;
        let signing = vouch::with_commit(options, &identity, vouching, &writes);
        if let Some(signing) = &signing {
            checkpoints::save(&tx, &signing.point)?;
        }
        commit_with(tx, signed)?;
        vouch::after_commit(options, &identity, vouching, signing.as_ref(), &writes);
    } else if !signed.is_empty() {
        commit_with(tx, signed)?;
    }
    let seq = snapshot.seq();
    let memory = writes.credentials.is_empty().then(|| {
        snapshot.keep(writes.decisions.keys().copied(), REMEMBERED);
        CommitMemory { version, snapshot }
    });
    Ok(Committed { seq, news, wrote, erased: !writes.erased.is_empty(), outcomes, memory })
}

fn commit_with(tx: Transaction<'_>, signed: &[&Checkpoint]) -> Result<()> {
    signed.iter().try_for_each(|point| checkpoints::save(&tx, point))?;
    tx.commit()
}

/// Starts from the kept state if that is still valid, else from the database.
fn recall(
    tx: &Transaction<'_>,
    numbering: Numbering,
    memory: Option<CommitMemory>,
) -> Result<(i64, Snapshot)> {
    let version = tx.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    if let Some(memory) = memory.filter(|memory| memory.version == version) {
        return Ok((version, memory.snapshot));
    }
    migrate::check(tx)?;
    Ok((version, load::snapshot(tx, numbering)?))
}

/// Returns the identity of the store in a file: every copy has the same numbering.
pub(super) fn identity(place: &str, numbering: Numbering) -> Identity {
    Identity { id: vouch::store_id(numbering), place: place.to_owned() }
}
