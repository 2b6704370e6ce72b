//! The search index: the words of each decision, in the database's full-text search. It follows the log; decisions that
//! changed after its position are checked directly.

use std::collections::BTreeSet;

use holdpoint_core::Search;
use holdpoint_core::search::{Term, Text};
use tokio_postgres::Row;

use super::connection::{Connection, get, int, ints, send, texts};
use super::decisions::{doc, most};
use super::error::Result;
use super::pool::Pool;
use crate::replay::Replay;

/// Finds candidates: decisions with all terms, and those that changed since they were indexed.
pub(super) const MAY_FIT: &str = "n IN (SELECT n FROM hp.search WHERE words @@ ?::tsquery \
    UNION ALL SELECT substr(stream, 10)::bigint FROM hp.event \
    WHERE seq > (SELECT seq FROM hp.search_place) AND stream LIKE 'decision/%')";
/// The name of a decision's owner, if it has one. Names do not change.
pub(super) const OWNER_NAME: &str = concat!(
    "CASE WHEN owner LIKE 'job:%' OR owner LIKE 'crew:%' THEN (SELECT ",
    document!("j.doc"),
    " ->> 'name' FROM hp.job AS j WHERE j.id = substr(owner, strpos(owner, ':') + 1) LIMIT 1) \
    WHEN owner LIKE 'run:%' THEN (SELECT ",
    document!("j.doc"),
    " ->> 'name' FROM hp.run AS r JOIN hp.job AS j ON j.id = ",
    document!("r.doc"),
    " ->> 'job' WHERE r.id = substr(owner, 5) LIMIT 1) END"
);
const LEFT: &str = "SELECT coalesce((SELECT max(seq) FROM hp.event), 0) - (SELECT seq FROM hp.search_place)";
/// One node indexes at a time; the others leave it to that one.
const PLACE: &str = "SELECT seq FROM hp.search_place FOR UPDATE SKIP LOCKED";
const CHANGED: &str = "SELECT seq, CASE WHEN stream LIKE 'decision/%' THEN substr(stream, 10)::bigint END \
    FROM hp.event WHERE seq > $1 ORDER BY seq LIMIT $2";
const PUT: &str = "INSERT INTO hp.search AS s (n, words) SELECT n, array_to_tsvector(array_remove(string_to_array(words, ' '), '')) \
    FROM unnest($1, $2) AS u (n, words) ON CONFLICT (n) DO UPDATE SET words = excluded.words \
    WHERE s.words <> excluded.words";
const MOVE: &str = "UPDATE hp.search_place SET seq = $1";
const WRONG: &str = "SELECT count(*) FROM unnest($1, $2) AS u (n, words) LEFT JOIN hp.search AS s USING (n) \
    WHERE s.words IS DISTINCT FROM array_to_tsvector(array_remove(string_to_array(u.words, ' '), '')) \
    AND NOT EXISTS (SELECT 1 FROM hp.event AS e WHERE e.stream = 'decision/' || u.n \
        AND e.seq > (SELECT seq FROM hp.search_place))";
/// How many events, and how many decisions, are read at a time.
const PAGE: usize = 1_000;

/// Formats a search as a query of the index; none if the index is of no help.
pub(super) fn expression(search: &Search) -> Option<String> {
    // Folded words contain no character with a meaning in queries.
    let worded = search.terms().into_iter().map(|term| match term {
        Term::Word(word) => format!("'{word}'"),
        Term::Start(start) => format!("'{start}':*"),
    });
    Some(worded.collect::<Vec<_>>().join(" & ")).filter(|words| !words.is_empty())
}

/// Indexes some of the changes in a separate transaction; returns how many events are left.
pub(super) async fn index(pool: &Pool, most: usize) -> Result<u64> {
    let left = |rows: Vec<Row>| -> Result<u64> {
        let left = rows.first().map(|row| get::<i64>(row, 0)).transpose()?;
        Ok(u64::try_from(left.unwrap_or_default()).unwrap_or_default())
    };
    let behind = left(pool.query(LEFT, &[]).await?)?;
    if behind == 0 || most == 0 {
        return Ok(behind);
    }
    let connection = pool.take().await?;
    let begin = send("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", &[]);
    let done = connection.pipeline(&[begin, send(PLACE, &[])]).await?;
    let place = done.last().and_then(|rows| rows.first()).map(|row| get::<i64>(row, 0)).transpose()?;
    let mut remaining = 0;
    if let Some(place) = place {
        index_some(&connection, place, most).await?;
        remaining = left(connection.query(LEFT, &[]).await?)?;
    }
    connection.query("COMMIT", &[]).await?;
    pool.put(connection);
    Ok(remaining)
}

/// Rebuilds the index.
pub(super) async fn rebuild(connection: &Connection) -> Result<()> {
    connection.script("DELETE FROM hp.search; UPDATE hp.search_place SET seq = 0").await?;
    let mut place = 0;
    while let Some(next) = index_some(connection, place, usize::MAX).await? {
        place = next;
    }
    Ok(())
}

/// Compares the index with the decisions. Those that were removed are not in it, because of its foreign key.
pub(super) async fn inspect(connection: &Connection, walk: &mut Replay) -> Result<()> {
    let sql = format!("SELECT n, doc, {OWNER_NAME} FROM hp.decision WHERE n > $1 ORDER BY n LIMIT $2");
    let (mut after, mut wrong) = (0_i64, 0_i64);
    loop {
        let rows = connection.query(&sql, &[int(&after), int(&most(PAGE))]).await?;
        let Some(last) = rows.last() else { break };
        after = get(last, 0)?;
        // A row that cannot be read was reported already.
        let (numbers, words) = indexed_words(rows.iter().filter(|row| doc(row, 1).is_ok()))?;
        let found = connection.query(WRONG, &[ints(&numbers), texts(&words)]).await?;
        wrong += found.first().map(|row| get::<i64>(row, 0)).transpose()?.unwrap_or_default();
    }
    if wrong > 0 {
        walk.found(format!("{wrong} decisions differ from their entries in the search index"));
    }
    Ok(())
}

/// Indexes some of the changes after a position; returns the new position, if there were any.
async fn index_some(connection: &Connection, place: i64, at_most: usize) -> Result<Option<i64>> {
    let (mut next, mut numbers) = (None, BTreeSet::new());
    for row in connection.query(CHANGED, &[int(&place), int(&most(PAGE))]).await? {
        if let Some(number) = get::<Option<i64>>(&row, 1)? {
            if numbers.len() >= at_most && !numbers.contains(&number) {
                break;
            }
            numbers.insert(number);
        }
        next = Some(get::<i64>(&row, 0)?);
    }
    let Some(next) = next else { return Ok(None) };
    let numbers: Vec<i64> = numbers.into_iter().collect();
    // Locked, so that no decision is removed while its words are written: the words would remain.
    let sql =
        format!("SELECT n, doc, {OWNER_NAME} FROM hp.decision WHERE n = ANY($1) ORDER BY n FOR KEY SHARE");
    let rows = connection.query(&sql, &[ints(&numbers)]).await?;
    let (numbers, words) = indexed_words(rows.iter())?;
    connection.query(PUT, &[ints(&numbers), texts(&words)]).await?;
    connection.query(MOVE, &[int(&next)]).await?;
    Ok(Some(next))
}

/// Returns the words of decisions that were read with their owners' names.
fn indexed_words<'a>(rows: impl Iterator<Item = &'a Row>) -> Result<(Vec<i64>, Vec<String>)> {
    let (mut numbers, mut words) = (Vec::new(), Vec::new());
    for row in rows {
        numbers.push(get(row, 0)?);
        words.push(Text::of(&doc(row, 1)?, get(row, 2)?).indexed());
    }
    Ok((numbers, words))
}
