//! Lists decisions a page at a time, along an index from the end of the last page.

use holdpoint_core::decision::from_brief;
use holdpoint_core::{Status, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::decisions::doc;
use super::{Sqlite, search};
use crate::port::{Filling, LOOKED_AT};
use crate::{Cursor, Detail, Order, Page, Query, Result, SharedDecision};

/// Lists one page; a search may have to read much of the store, so it runs off the async threads.
pub(super) async fn page(store: &Sqlite, query: &Query) -> Result<Page> {
    if query.search().is_none() {
        return store.read(|reader| list(&reader.connection, query));
    }
    let query = query.clone();
    store.scan(move |reader| list(&reader.connection, &query)).await
}

fn list(connection: &Connection, query: &Query) -> Result<Page> {
    if query.limit == 0 {
        return Ok(Page::default());
    }
    let (sql, values) = statement(query);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut filling = Filling::default();
    let (mut last, mut looked_at) = (0, 0);
    while let Some(row) = rows.next()? {
        if !filling.has_room(query.limit) || looked_at >= LOOKED_AT {
            filling.page.next = Some(Cursor(last));
            break;
        }
        let number = row.get(0)?;
        let brief = row.get_ref(2)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        if let Some(search) = query.search() {
            (last, looked_at) = (number, looked_at + 1);
            let decision = doc(row, 1)?;
            let name = search::owner_name(connection, &decision)?;
            if !search.fits(&decision, name.as_deref(), query.now.unwrap_or(Timestamp::from_millis(i64::MAX)))
            {
                continue;
            }
        }
        let (decision, bytes) = match brief {
            Some(brief) => (from_brief(brief)?, brief.len()),
            None => (doc(row, 1)?, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?.len()),
        };
        last = number;
        let decision = if let Some(now) = query.now { decision.as_of(now) } else { decision };
        filling.add(SharedDecision::new(decision), bytes);
    }
    Ok(filling.page)
}

/// Builds the statement from fixed parts only; all input is bound.
fn statement(query: &Query) -> (String, Vec<Value>) {
    let documents = match query.detail {
        Detail::Whole => "doc, NULL",
        // A search may match in the part that is left out; otherwise the long document is not read.
        Detail::Brief if query.search().is_some() => "doc, brief",
        Detail::Brief => "CASE WHEN brief IS NULL THEN doc END, brief",
    };
    let mut sql = format!("SELECT n, {documents} FROM decision{} WHERE 1", walk(query));
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
            let (sql, _) = statement(&query);
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
            let (sql, _) = statement(&query);
            let plan = plan_of(&sql);
            let walks = plan.contains("SEARCH decision USING INTEGER PRIMARY KEY (rowid=?)");
            assert!(walks && !plan.contains("FOR ORDER BY"), "{sql}: {plan}");
        }
    }
}
