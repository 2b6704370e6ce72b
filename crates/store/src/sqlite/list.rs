//! Lists decisions a page at a time, along an index from the end of the last page.

use holdpoint_core::decision::from_brief;
use holdpoint_core::{Decision, Status, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::decisions::doc;
use super::listed::Listed;
use super::{Sqlite, search};
use crate::port::{LOOKED_AT, PageBuilder};
use crate::{Cursor, Detail, Order, Page, Query, Result, SharedDecision};

/// Lists one page; a search may have to read much of the store, so it runs off the async threads.
pub(super) async fn page(store: &Sqlite, query: &Query) -> Result<Page> {
    if query.limit == 0 {
        return Ok(Page::default());
    }
    if query.search().is_some() {
        let query = query.clone();
        return store.scan(move |reader| list(&reader.connection, &query)).await;
    }
    if query.detail == Detail::Brief && query.statuses == [Status::Pending] {
        let listed = &store.shared.listed;
        return store.read(|reader| list_pending(&reader.connection, query, listed));
    }
    store.read(|reader| list(&reader.connection, query))
}

fn list(connection: &Connection, query: &Query) -> Result<Page> {
    let documents = match query.detail {
        Detail::Whole => "doc, NULL",
        // A search may match in the part that is left out; otherwise the long document is not read.
        Detail::Brief if query.search().is_some() => "doc, brief",
        Detail::Brief => SHORTEST,
    };
    let (sql, values) = statement(documents, query);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut filling = PageBuilder::default();
    let (mut last, mut looked_at) = (0, 0);
    while let Some(row) = rows.next()? {
        if !filling.has_room(query.limit) || looked_at >= LOOKED_AT {
            filling.page.next = Some(Cursor(last));
            break;
        }
        let number = row.get(0)?;
        if let Some(search) = query.search() {
            (last, looked_at) = (number, looked_at + 1);
            let decision = doc(row, 1)?;
            let name = search::owner_name(connection, &decision)?;
            if !search.fits(&decision, name.as_deref(), query.now.unwrap_or(Timestamp::from_millis(i64::MAX)))
            {
                continue;
            }
        }
        let (decision, bytes) = read(row, 1)?;
        last = number;
        let decision = if let Some(now) = query.now { decision.as_of(now) } else { decision };
        filling.add(SharedDecision::new(decision), bytes);
    }
    Ok(filling.page)
}

/// Lists pending decisions; those that were listed in the same version a moment ago are not read again.
fn list_pending(connection: &Connection, query: &Query, listed: &Listed) -> Result<Page> {
    let (sql, values) = statement("version, digest", query);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut filling = PageBuilder::default();
    let mut last = 0;
    while let Some(row) = rows.next()? {
        if !filling.has_room(query.limit) {
            filling.page.next = Some(Cursor(last));
            break;
        }
        let (number, version) = (row.get(0)?, row.get(1)?);
        last = number;
        let digest = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        if let Some((decision, bytes)) = listed.get(number, version, digest) {
            filling.add(decision, bytes);
            continue;
        }
        let mut statement = connection.prepare_cached(ONE)?;
        let (decision, bytes) = statement.query_row([number], |row| Ok(read(row, 0)))??;
        match query.now {
            Some(now) if decision.is_due(now) => filling.add(SharedDecision::new(decision.as_of(now)), bytes),
            _ => filling.add(listed.put(number, version, decision, bytes), bytes),
        }
    }
    Ok(filling.page)
}

/// The columns of the shortest form that there is: the long document is not read if there is a short form.
const SHORTEST: &str = "CASE WHEN brief IS NULL THEN doc END, brief";
const ONE: &str = "SELECT CASE WHEN brief IS NULL THEN doc END, brief FROM decision WHERE n = ?1";

/// Reads the columns of a document and its short form; returns the decision and how long its text is.
fn read(row: &Row<'_>, column: usize) -> Result<(Decision, usize)> {
    match row.get_ref(column + 1)?.as_str_or_null().map_err(rusqlite::Error::from)? {
        Some(brief) => Ok((from_brief(brief)?, brief.len())),
        None => Ok((doc(row, column)?, row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?.len())),
    }
}

/// Builds the statement from fixed parts only; all input is bound.
fn statement(columns: &str, query: &Query) -> (String, Vec<Value>) {
    let mut sql = format!("SELECT n, {columns} FROM decision{} WHERE 1", walk(query));
    let mut values: Vec<Value> = Vec::new();
    let mut and = |condition: &str, bound: Vec<Value>| {
        sql.push_str(" AND ");
        sql.push_str(condition);
        values.extend(bound);
    };
    if !query.statuses.is_empty() {
        let (condition, bound) = statuses(&query.statuses, query.now);
        and(&condition, bound);
    }
    let owner = query.owner.as_ref().map(ToString::to_string);
    let source = query.source.map(|source| source.name().to_owned());
    let equal = [
        ("project", &query.project),
        ("owner", &owner),
        ("source", &source),
        ("requested_by", &query.requested_by),
        ("digest", &query.digest),
    ];
    for (column, value) in equal {
        if let Some(value) = value {
            and(&format!("{column} = ?"), vec![Value::Text(value.clone())]);
        }
    }
    if !query.projects.is_empty() {
        let marks = vec!["?"; query.projects.len()].join(", ");
        and(&format!("project IN ({marks})"), query.projects.iter().cloned().map(Value::Text).collect());
    }
    if let Some(agent) = &query.seen_by {
        let bound = vec![Value::Text(agent.credential.clone()), Value::Text(agent.as_listed())];
        and("(asked_with = ? OR instr(assignees, ?) > 0)", bound);
    }
    if let Some(since) = query.settled_since {
        let since = Value::Integer(since.as_millis());
        match query.now {
            Some(now) => and(
                "(settled_at >= ? OR (status = 'pending' AND deadline >= ? AND deadline <= ?))",
                vec![since.clone(), since, Value::Integer(now.as_millis())],
            ),
            None => and("settled_at >= ?", vec![since]),
        }
    }
    if let Some(expression) = query.search().and_then(search::expression) {
        and(search::MAY_FIT, vec![Value::Text(expression)]);
    }
    let (beyond, direction) = match query.order {
        Order::OldestFirst => ("n > ?", "ASC"),
        Order::NewestFirst => ("n < ?", "DESC"),
    };
    if let Some(Cursor(number)) = query.cursor {
        and(beyond, vec![Value::Integer(number)]);
    }
    sql.push_str(" ORDER BY n ");
    sql.push_str(direction);
    // A search has no limit here, because only some of the candidates will match.
    if query.search().is_none() {
        sql.push_str(" LIMIT ?");
        values.push(Value::Integer(i64::try_from(query.limit).unwrap_or(i64::MAX - 1).saturating_add(1)));
    }
    (sql, values)
}

/// Returns the index to use. It is named instead of left to the planner, which has no statistics: listing pending
/// decisions must not depend on how many are settled.
fn walk(query: &Query) -> &'static str {
    if query.owner.is_some() {
        " INDEXED BY decision_owner"
    } else if query.statuses == [Status::Pending] {
        " INDEXED BY decision_pending"
    } else {
        ""
    }
}

/// Builds the condition on statuses. A pending decision past its deadline counts as timed out, recorded or not.
fn statuses(wanted: &[Status], now: Option<Timestamp>) -> (String, Vec<Value>) {
    let wants = |status| wanted.contains(&status);
    let settled: Vec<String> = Status::ALL
        .into_iter()
        .filter(|status| *status != Status::Pending && wants(*status))
        .map(|status| format!("'{}'", status.name()))
        .collect();
    let mut parts = Vec::new();
    let mut values = Vec::new();
    if !settled.is_empty() {
        parts.push(format!("status IN ({})", settled.join(", ")));
    }
    match (wants(Status::Pending), wants(Status::TimedOut), now) {
        (true, true, _) | (true, false, None) => parts.push("status = 'pending'".into()),
        (true, false, Some(now)) => {
            parts.push("(status = 'pending' AND (deadline IS NULL OR deadline > ?))".into());
            values.push(Value::Integer(now.as_millis()));
        }
        (false, true, Some(now)) => {
            parts.push("(status = 'pending' AND deadline <= ?)".into());
            values.push(Value::Integer(now.as_millis()));
        }
        (false, _, _) => {}
    }
    (format!("({})", parts.join(" OR ")), values)
}

#[cfg(test)]
pub(super) mod tests {
    use holdpoint_core::Search;

    use super::*;
    use crate::Options;
    use crate::sqlite::{connection, file::StoreFile, open};

    /// Returns SQLite's plan for a statement on a new store.
    pub(in crate::sqlite) fn plan_of(sql: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hold.db");
        drop(open(&path, Options::default()).unwrap());
        let ((connection, _), ()) = connection::reader(&StoreFile::at(&path), |_| Ok(())).unwrap();
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let mut rows = statement.raw_query();
        let mut plan = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            plan.push(row.get::<_, String>(3).unwrap());
        }
        plan.join("; ")
    }

    #[test]
    fn what_waits_is_a_walk_along_its_index() {
        let now = Some(Timestamp::from_millis(5));
        let pending = Query { statuses: vec![Status::Pending], limit: 50, ..Query::default() };
        let cursor = Some(Cursor(7));
        let owner = "job:build".parse().ok();
        for (query, index) in [
            (pending.clone(), "decision_pending"),
            (Query { now, ..pending.clone() }, "decision_pending"),
            (Query { cursor, now, ..pending.clone() }, "decision_pending"),
            (Query { cursor, order: Order::NewestFirst, ..pending.clone() }, "decision_pending"),
            (Query { project: Some("web".into()), ..pending.clone() }, "decision_pending"),
            (Query { owner: owner.clone(), ..pending.clone() }, "decision_owner"),
            (Query { owner, cursor, ..Query::default() }, "decision_owner"),
        ] {
            let (sql, _) = statement(SHORTEST, &query);
            let plan = plan_of(&sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }

    #[test]
    fn a_search_reads_only_what_may_fit() {
        let search = Some(Search::of("deploy staging"));
        let all = Query { search, limit: 50, ..Query::default() };
        let settled = Query { statuses: vec![Status::Answered], order: Order::NewestFirst, ..all.clone() };
        for query in [all.clone(), settled, Query { cursor: Some(Cursor(7)), ..all }] {
            let (sql, _) = statement(SHORTEST, &query);
            let plan = plan_of(&sql);
            let walks = plan.contains("SEARCH decision USING INTEGER PRIMARY KEY (rowid=?)");
            assert!(walks && !plan.contains("FOR ORDER BY"), "{sql}: {plan}");
        }
    }
}
