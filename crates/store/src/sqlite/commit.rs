//! Decides a batch of commands and writes what came of it, in one transaction.

use holdpoint_core::Numbering;
use rusqlite::{Connection, TransactionBehavior};

use super::{checkpoints, load, migrate, save};
use crate::feed::{Feed, News};
use crate::plan::{self, Decided, Writes};
use crate::{Options, Result, Submission};

/// What a batch came to.
pub(super) struct Committed {
    /// Where the log then ends.
    pub(super) seq: i64,
    /// What others are told of it; nothing if nobody listens.
    pub(super) news: Option<News>,
    /// Whether bodies were erased.
    pub(super) erased: bool,
    /// What came of each command.
    pub(super) outcomes: Vec<Result<Decided>>,
}

/// Decides and writes a batch.
pub(super) fn commit(
    connection: &mut Connection,
    numbering: Numbering,
    options: &Options,
    feed: &Feed,
    batch: &[&Submission],
) -> Result<Committed> {
    // The lock comes first: what is loaded under it is what is decided on.
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    let mut snapshot = load::snapshot(&tx, numbering)?;
    for submission in batch {
        load::needs(&tx, &mut snapshot, &plan::needs(submission))?;
    }
    let mut writes = Writes::default();
    let mut told = false;
    if let [first, ..] = batch
        && plan::may_write(&snapshot, first)
    {
        let now = plan::now(&snapshot, first);
        let overdue = load::overdue(&tx, &mut snapshot, now, plan::OVERDUE)?;
        told = plan::expire_overdue(&mut snapshot, &mut writes, &overdue, now, &first.routes);
    }
    let decide = |submission: &&Submission| {
        let mut decided = plan::plan(&mut snapshot, &mut writes, submission)?;
        decided.posted |= told;
        Ok(decided)
    };
    let outcomes = batch.iter().map(decide).collect();
    let mut news = None;
    if !writes.is_empty() {
        news = feed.has_listener().then(|| News::of(&snapshot, &writes));
        save::save(&tx, &snapshot, &writes)?;
        if let Some(at) = snapshot.at() {
            checkpoints::with_commit(&tx, options, snapshot.seq(), snapshot.hash(), at)?;
        }
        tx.commit()?;
    }
    Ok(Committed { seq: snapshot.seq(), news, erased: !writes.erased.is_empty(), outcomes })
}
