//! Runs: loading, writing, reading, and checking them against the log.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::{self, ObjectId};
use rusqlite::{Connection, OptionalExtension, params};

use super::replay::Mend;
use super::{Sqlite, events};
use crate::plan::{Needs, Snapshot, of_owner};
use crate::replay::Replay;
use crate::{Logged, Order, Result, RunQuery, Runs};

#[async_trait]
impl Runs for Sqlite {
    async fn run(&self, id: ObjectId) -> Result<Option<Run>> {
        self.read(move |reader| one(&reader.connection, id))
    }

    async fn runs(&self, query: &RunQuery) -> Result<Vec<Run>> {
        let query = query.clone();
        self.read(move |reader| list(&reader.connection, &query))
    }

    async fn run_events(&self, run: &Run) -> Result<Vec<Logged>> {
        let stream = of_owner(&run.project, &run::owner(run.id));
        self.read(move |reader| events::of_stream(&reader.connection, &stream))
    }
}

/// Loads the runs and the task that a command names.
pub(super) fn needs(connection: &Connection, snapshot: &mut Snapshot, needs: &Needs) -> Result<()> {
    for id in &needs.runs {
        if !snapshot.has_run(*id) {
            snapshot.put_run(*id, one(connection, *id)?.map(Arc::new));
        }
    }
    if let Some(task) = needs.task.filter(|task| !snapshot.has_task(*task)) {
        let query = RunQuery { task: Some(task), limit: 1, ..RunQuery::default() };
        let known = list(connection, &query)?.pop();
        snapshot.put_task(task, known.map(|run| run.task));
    }
    Ok(())
}

/// Writes a run, new or changed.
pub(super) fn save(connection: &Connection, run: &Run) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO run (id, project, task, doc) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc",
    )?;
    let doc = serde_json::to_string(run)?;
    statement.execute(params![run.id.to_string(), run.project, run.task.id.to_string(), doc])?;
    Ok(())
}

/// Compares all runs with the log; where asked to, writes anew what differs.
pub(super) fn inspect(connection: &Connection, replay: &mut Replay, mend: Mend) -> Result<()> {
    let mut statement = connection.prepare("SELECT id, doc FROM run")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    for (id, right) in replay.compare_runs(rows) {
        if mend == Mend::Yes {
            connection.execute("DELETE FROM run WHERE id = ?1", [&id])?;
            if let Some(run) = right {
                save(connection, run)?;
            }
        }
    }
    Ok(())
}

fn one(connection: &Connection, id: ObjectId) -> Result<Option<Run>> {
    let mut statement = connection.prepare_cached("SELECT doc FROM run WHERE id = ?1")?;
    let doc: Option<String> = statement.query_row([id.to_string()], |row| row.get(0)).optional()?;
    Ok(doc.map(|doc| serde_json::from_str(&doc)).transpose()?)
}

fn list(connection: &Connection, query: &RunQuery) -> Result<Vec<Run>> {
    let (than, order, end) = match query.order {
        Order::OldestFirst => (">", "ASC", ""),
        Order::NewestFirst => ("<", "DESC", "g"),
    };
    let (column, of) = match (&query.task, &query.project) {
        (Some(task), _) => ("task", Some(task.to_string())),
        (None, project) => ("project", project.clone()),
    };
    // One index walk each: which one is known before it is run.
    let only = if of.is_some() { format!("{column} = ?1") } else { "?1 IS NULL".to_owned() };
    let sql = format!("SELECT doc FROM run WHERE {only} AND id {than} ?2 ORDER BY id {order} LIMIT ?3");
    let after = query.after.map_or_else(|| end.to_owned(), |id| id.to_string());
    let mut statement = connection.prepare_cached(&sql)?;
    let docs = statement.query_map(params![of, after, query.limit], |row| row.get::<_, String>(0))?;
    let mut runs = Vec::new();
    for doc in docs {
        runs.push(serde_json::from_str(&doc?)?);
    }
    Ok(runs)
}
