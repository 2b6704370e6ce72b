//! Decides a batch of commands and writes the outcome, in one transaction.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use holdpoint_core::Numbering;
use rusqlite::Connection;

use super::{Shared, checkpoints, fault, load, migrate, save};
use crate::feed::News;
use crate::plan::{self, Decided, Snapshot, Writes};
use crate::vouch::Identity;
use crate::{Checkpoint, Result, Submission, vouch};

/// How many decisions are remembered from one batch to the next.
const REMEMBERED: usize = 4_096;

/// What a batch came to.
pub(super) struct Committed {
    /// Where the log then ends.
    pub(super) seq: i64,
    /// What others are told of it; nothing if nobody listens.
    pub(super) news: Option<News>,
    /// Whether anything was written.
    pub(super) wrote: bool,
    /// Whether bodies were erased.
    pub(super) erased: bool,
    /// The outcome of each command.
    pub(super) outcomes: Vec<Result<Decided>>,
    /// What is known after it.
    pub(super) memory: Option<Memory>,
}

/// What a connection knows after a commit of its own. It counts only under the lock, and only if SQLite says that
/// no other connection has written since.
pub(super) struct Memory {
    /// The change counter as this connection sees it.
    version: i64,
    snapshot: Snapshot,
}

/// What to do while another process has the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Locked {
    Wait,
    GiveUp,
}

/// A transaction that holds the lock; it is taken back unless it is committed. Its statements are prepared once, where those
/// of `rusqlite::Transaction` are prepared each time.
pub(super) struct Transaction<'a> {
    connection: &'a Connection,
    open: bool,
}

impl<'a> Transaction<'a> {
    /// Takes the lock: what is loaded under it is what is decided on. Nothing if another process has it and is not to be
    /// waited for.
    pub(super) fn begin(connection: &'a mut Connection, locked: Locked) -> Result<Option<Self>> {
        match connection.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([])) {
            Err(error) if locked == Locked::GiveUp && fault::is_busy(&error) => Ok(None),
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
            // Where it fails SQLite has taken it back by itself.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}

/// Decides and writes a batch, and keeps what was signed meanwhile.
pub(super) fn commit(
    tx: Transaction<'_>,
    numbering: Numbering,
    memory: Option<Memory>,
    shared: &Shared,
    batch: &[&Submission],
    signed: &[&Checkpoint],
) -> Result<Committed> {
    let begun = Instant::now();
    let Shared { place, options, feed, vouching, .. } = shared;
    // What was read before the log was found broken may be what broke it.
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
            vouch::seal(&mut writes.events, signer.as_ref(), vouch::Readers::Own);
        }
        news = feed.has_listener().then(|| News::of(&snapshot, &writes, begun));
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
        Memory { version, snapshot }
    });
    Ok(Committed { seq, news, wrote, erased: !writes.erased.is_empty(), outcomes, memory })
}

fn commit_with(tx: Transaction<'_>, signed: &[&Checkpoint]) -> Result<()> {
    signed.iter().try_for_each(|point| checkpoints::save(&tx, point))?;
    tx.commit()
}

/// Starts from what is remembered if it still holds, else from what is read.
fn recall(tx: &Transaction<'_>, numbering: Numbering, memory: Option<Memory>) -> Result<(i64, Snapshot)> {
    let version = tx.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    if let Some(memory) = memory.filter(|memory| memory.version == version) {
        return Ok((version, memory.snapshot));
    }
    migrate::check(tx)?;
    Ok((version, load::snapshot(tx, numbering)?))
}

/// Returns which store a file holds: the numbering goes along with every copy.
pub(super) fn identity(place: &str, numbering: Numbering) -> Identity {
    Identity { id: vouch::store_id(numbering), place: place.to_owned() }
}
