//! The rows of runs: loads, writes and compares them with the log.

use std::sync::Arc;

use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::plan::{Needs, Snapshot};
use crate::replay::Replay;
use crate::runs::{BEYOND, NamePart};
use crate::{Order, Repair, Result, RunQuery};

/// Loads the runs and the task that a command names.
pub(super) fn needs(connection: &Connection, snapshot: &mut Snapshot, needs: &Needs) -> Result<()> {
    for id in &needs.runs {
        if !snapshot.has_run(*id) {
            snapshot.load_run(*id, one(connection, *id)?.map(Arc::new));
        }
    }
    if let Some(task) = needs.task.filter(|task| !snapshot.has_task(*task)) {
        let query = RunQuery { task: Some(task), limit: 1, ..RunQuery::default() };
        let known = list(connection, &query)?.pop();
        snapshot.put_task(task, known.map(|run| run.task));
    }
    Ok(())
}

/// Writes a new or changed run.
pub(super) fn save(connection: &Connection, run: &Run) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO run (id, project, task, doc) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc",
    )?;
    let doc = serde_json::to_string(run)?;
    statement.execute(params![run.id.to_string(), run.project, run.task.id.to_string(), doc])?;
    Ok(())
}

/// Compares all runs with the log; if requested, rewrites what differs.
pub(super) fn inspect(connection: &Connection, replay: &mut Replay, repair: Repair) -> Result<()> {
    let mut statement = connection.prepare("SELECT id, doc FROM run")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    for (id, right) in replay.compare_runs(rows) {
        if repair == Repair::Rebuild {
            connection.execute("DELETE FROM run WHERE id = ?1", [&id])?;
            if let Some(run) = right {
                save(connection, run)?;
            }
        }
    }
    Ok(())
}

/// Returns a run.
pub(super) fn one(connection: &Connection, id: ObjectId) -> Result<Option<Run>> {
    let mut statement = connection.prepare_cached("SELECT doc FROM run WHERE id = ?1")?;
    let doc: Option<String> = statement.query_row([id.to_string()], |row| row.get(0)).optional()?;
    Ok(doc.map(|doc| serde_json::from_str(&doc)).transpose()?)
}

/// Lists runs.
pub(super) fn list(connection: &Connection, query: &RunQuery) -> Result<Vec<Run>> {
    let (sql, of, after) = listing(query);
    read(connection, &sql, params![of, after, query.limit])
}

/// Builds the statement of a list: one index walk each, chosen before it is run.
fn listing(query: &RunQuery) -> (String, Option<String>, String) {
    let (than, order, end) = match query.order {
        Order::OldestFirst => (">", "ASC", ""),
        Order::NewestFirst => ("<", "DESC", BEYOND),
    };
    let (column, of) = match (&query.task, &query.project) {
        (Some(task), _) => ("task", Some(task.to_string())),
        (None, project) => ("project", project.clone()),
    };
    let only = if of.is_some() { format!("{column} = ?1") } else { "?1 IS NULL".to_owned() };
    let sql = format!("SELECT doc FROM run WHERE {only} AND id {than} ?2 ORDER BY id {order} LIMIT ?3");
    (sql, of, query.after.map_or_else(|| end.to_owned(), |id| id.to_string()))
}

/// Runs whose id starts with a text, and those whose id ends with it.
const STARTING: &str = "SELECT doc FROM run WHERE id >= ?1 AND id < min(?2, ?3) ORDER BY id DESC LIMIT ?4";
const ENDING: &str = "SELECT doc FROM run WHERE substr(id, -4) = ?1 AND substr(id, -length(?2)) = ?2 AND id < ?3 \
    ORDER BY id DESC LIMIT ?4";
/// Runs whose short id starts with a text, found by checking all ids.
const NAMED: &str =
    "SELECT doc FROM run WHERE substr(id, -8, length(?1)) = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3";

/// Finds runs by a part of their id.
pub(super) fn named(
    connection: &Connection,
    part: &NamePart,
    after: Option<ObjectId>,
    limit: usize,
) -> Result<Vec<Run>> {
    let before = after.map_or_else(|| BEYOND.to_owned(), |id| id.to_string());
    let starting = read(connection, STARTING, params![part.as_str(), part.above(), before, limit])?;
    let ending = read(connection, ENDING, params![part.end(), part.as_str(), before, limit])?;
    let named = match part.start_of_name() {
        Some(start) => read(connection, NAMED, params![start, before, limit])?,
        None => Vec::new(),
    };
    Ok(NamePart::joined([starting, ending, named], limit))
}

fn read(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Run>> {
    let mut statement = connection.prepare_cached(sql)?;
    let docs = statement.query_map(values, |row| row.get::<_, String>(0))?;
    let mut runs = Vec::new();
    for doc in docs {
        runs.push(serde_json::from_str(&doc?)?);
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns SQLite's plan for a statement.
    fn plan(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> String {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map(values, |row| row.get::<_, String>(3)).unwrap();
        steps.map(std::result::Result::unwrap).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn every_list_is_one_walk_over_an_index() {
        let connection = Connection::open_in_memory().unwrap();
        for migration in super::super::migrate::MIGRATIONS {
            connection.execute_batch(migration).unwrap();
        }
        let (project, task) =
            (Some("web".to_owned()), Some(ObjectId::at(holdpoint_core::Timestamp::from_millis(1), [0; 10])));
        for order in [Order::OldestFirst, Order::NewestFirst] {
            let all = RunQuery { order, limit: 51, ..RunQuery::default() };
            let lists = [
                (all.clone(), "SEARCH run USING PRIMARY KEY (id"),
                (
                    RunQuery { project: project.clone(), ..all.clone() },
                    "SEARCH run USING INDEX run_by_project (project=? AND id",
                ),
                (RunQuery { task, ..all }, "SEARCH run USING INDEX run_by_task (task=? AND id"),
            ];
            for (query, wanted) in lists {
                let (sql, of, after) = listing(&query);
                let plan = plan(&connection, &sql, params![of, after, query.limit]);
                assert!(plan.starts_with(wanted) && !plan.contains(';'), "{sql}: {plan}");
            }
        }
        let values = || params!["abcd", "abcdg", "g", 9];
        let starting = plan(&connection, STARTING, values());
        assert_eq!(starting, "SEARCH run USING PRIMARY KEY (id>? AND id<?)");
        let ending = plan(&connection, ENDING, values());
        assert_eq!(ending, "SEARCH run USING INDEX run_by_end (<expr>=? AND id<?)");
    }
}
