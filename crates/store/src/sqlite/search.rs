//! The search index: the words of each decision, in an FTS5 table. It follows the log; decisions that changed after its
//! position are checked directly.

use std::collections::BTreeSet;

use holdpoint_core::search::{Term, Text};
use holdpoint_core::{Decision, OwnerKind, Search};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::decisions::by_number;
use super::{connection, migrate};
use crate::Result;
use crate::replay::Replay;

/// Finds candidates: decisions with all terms, and those that changed since they were indexed.
pub(super) const MAY_FIT: &str = "n IN (SELECT rowid FROM search WHERE search MATCH ? \
    UNION ALL SELECT CAST(substr(stream, 10) AS INTEGER) FROM event \
    WHERE seq > (SELECT seq FROM search_place) AND substr(stream, 1, 9) = 'decision/')";
const LEFT: &str = "SELECT coalesce(max(event.seq), 0) - (SELECT seq FROM search_place) FROM event";
const CHANGED: &str = "SELECT seq, CASE WHEN substr(stream, 1, 9) = 'decision/' THEN CAST(substr(stream, 10) AS INTEGER) END \
    FROM event WHERE seq > (SELECT seq FROM search_place) ORDER BY seq";
/// Queries for the names of owners, which do not change.
const JOB: &str = "SELECT doc ->> '$.name' FROM job WHERE id = ?1 LIMIT 1";
const JOB_OF_RUN: &str = "SELECT j.doc ->> '$.name' FROM run AS r JOIN job AS j ON j.id = r.doc ->> '$.job' WHERE r.id = ?1 LIMIT 1";

/// Formats a search as a query of the index; none if the index is of no help.
pub(super) fn expression(search: &Search) -> Option<String> {
    // Folded words contain no character with a meaning in queries.
    let worded = search.terms().into_iter().map(|term| match term {
        Term::Word(word) => format!("\"{word}\""),
        Term::Start(start) => format!("\"{start}\" *"),
    });
    Some(worded.collect::<Vec<_>>().join(" AND ")).filter(|words| !words.is_empty())
}

/// Returns the name of a decision's owner, if it has one.
pub(super) fn owner_name(connection: &Connection, decision: &Decision) -> Result<Option<String>> {
    let Some(owner) = &decision.owner else { return Ok(None) };
    let sql = match owner.kind {
        OwnerKind::Job | OwnerKind::Crew => JOB,
        OwnerKind::Run => JOB_OF_RUN,
        OwnerKind::Item | OwnerKind::Thread | OwnerKind::Chat => return Ok(None),
    };
    let name = connection.prepare_cached(sql)?.query_row([&owner.id], |row| row.get(0)).optional()?;
    Ok(name.flatten())
}

/// Returns how many events the index is behind.
pub(super) fn left(connection: &Connection) -> Result<u64> {
    let left: i64 = connection.prepare_cached(LEFT)?.query_row([], |row| row.get(0))?;
    // The difference is negative if the log was cut off; a repair rebuilds the index as well.
    Ok(u64::try_from(left).unwrap_or_default())
}

/// Indexes some of the changes in a separate transaction; returns how many events are left.
pub(super) fn index(connection: &mut Connection, most: usize) -> Result<u64> {
    // Entries lost in a power cut are indexed again, so this need not wait for the disk, and delays no commit.
    connection::unsynced(connection, |connection| commit_some(connection, most))
}

fn commit_some(connection: &mut Connection, most: usize) -> Result<u64> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrate::check(&tx)?;
    index_some(&tx, most)?;
    let left = left(&tx)?;
    tx.commit()?;
    Ok(left)
}

/// Removes the words of a decision from the index.
pub(super) fn erase(connection: &Connection, number: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM search WHERE rowid = ?1")?.execute([number])?;
    Ok(())
}

/// Rebuilds the index.
pub(super) fn rebuild(connection: &Connection) -> Result<()> {
    // Deleting row by row would have to find every word.
    let made: String =
        connection.query_row("SELECT sql FROM sqlite_schema WHERE name = 'search'", [], |row| row.get(0))?;
    connection.execute_batch(&format!(
        "DROP TABLE search; {made}; INSERT INTO search (search, rank) VALUES ('secure-delete', 1); \
         UPDATE search_place SET seq = 0"
    ))?;
    index_some(connection, usize::MAX)
}

/// Compares the index with the decisions.
pub(super) fn inspect(connection: &Connection, walk: &mut Replay) -> Result<()> {
    let changed = changed(connection, usize::MAX)?.1;
    let mut statement =
        connection.prepare("SELECT n, doc, (SELECT words FROM search WHERE rowid = n) FROM decision")?;
    let mut rows = statement.query([])?;
    let mut wrong = 0_usize;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        // A row that cannot be read was reported already.
        let Ok(decision) = super::decisions::doc(row, 1) else { continue };
        if !changed.contains(&number) {
            let words: Option<String> = row.get(2)?;
            wrong += usize::from(words != Some(words_of(connection, &decision)?));
        }
    }
    if wrong > 0 {
        walk.found(format!("{wrong} decisions differ from their entries in the search index"));
    }
    let extra = "SELECT count(*) FROM search WHERE rowid NOT IN (SELECT n FROM decision)";
    let extra: i64 = connection.query_row(extra, [], |row| row.get(0))?;
    if extra > 0 {
        walk.found(format!("the search index has {extra} decisions that do not exist"));
    }
    Ok(())
}

fn index_some(connection: &Connection, most: usize) -> Result<()> {
    let (place, numbers) = changed(connection, most)?;
    let Some(place) = place else { return Ok(()) };
    for number in numbers {
        let Some(decision) = by_number(connection, number)? else {
            erase(connection, number)?;
            continue;
        };
        let words = words_of(connection, &decision)?;
        let mut known = connection.prepare_cached("SELECT words FROM search WHERE rowid = ?1")?;
        let known: Option<String> = known.query_row([number], |row| row.get(0)).optional()?;
        let sql = match known {
            // Most events of a decision do not change its words.
            Some(known) if known == words => continue,
            Some(_) => "UPDATE search SET words = ?2 WHERE rowid = ?1",
            None => "INSERT INTO search (rowid, words) VALUES (?1, ?2)",
        };
        connection.prepare_cached(sql)?.execute(rusqlite::params![number, words])?;
    }
    connection.prepare_cached("UPDATE search_place SET seq = ?1")?.execute([place])?;
    Ok(())
}

/// Returns the first decisions that changed, and the position after them.
fn changed(connection: &Connection, most: usize) -> Result<(Option<i64>, BTreeSet<i64>)> {
    let mut statement = connection.prepare_cached(CHANGED)?;
    let mut rows = statement.query([])?;
    let (mut place, mut numbers) = (None, BTreeSet::new());
    while let Some(row) = rows.next()? {
        if let Some(number) = row.get::<_, Option<i64>>(1)? {
            if numbers.len() >= most && !numbers.contains(&number) {
                break;
            }
            numbers.insert(number);
        }
        place = Some(row.get(0)?);
    }
    Ok((place, numbers))
}

fn words_of(connection: &Connection, decision: &Decision) -> Result<String> {
    let name = owner_name(connection, decision)?;
    Ok(Text::of(decision, name.as_deref()).indexed())
}
