//! Runs: loading, writing, reading, and checking them against the log.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::{self, ObjectId};

use super::connection::{Connection, get, int, send, text, texts};
use super::error::Result;
use super::{Postgres, events};
use crate::plan::{Snapshot, of_owner};
use crate::replay::Replay;
use crate::runs::{BEYOND, NamePart};
use crate::{Logged, Order, Repair, RunQuery, Runs};

const LOAD: &str = "SELECT doc FROM hp.run WHERE id = ANY($1)";
const TASKS: &str = "SELECT DISTINCT ON (task) doc FROM hp.run WHERE task = ANY($1) ORDER BY task, id";
const STARTING: &str =
    "SELECT doc FROM hp.run WHERE id >= $1 AND id < least($2, $3) ORDER BY id DESC LIMIT $4";
const ENDING: &str = "SELECT doc FROM hp.run WHERE right(id, 4) = $1 AND right(id, length($2)) = $2 AND id < $3 \
    ORDER BY id DESC LIMIT $4";
/// Those whose short name starts with something, by looking at all ids.
const NAMED: &str = "SELECT doc FROM hp.run WHERE left(right(id, 8), length($1)) = $1 AND id < $2 \
    ORDER BY id DESC LIMIT $3";
const SAVE: &str = "INSERT INTO hp.run (id, project, task, doc) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (id) DO UPDATE SET doc = excluded.doc";

#[async_trait]
impl Runs for Postgres {
    async fn run(&self, id: ObjectId) -> crate::Result<Option<Run>> {
        let ids = vec![id.to_string()];
        let rows = self.pool().query(LOAD, &[texts(&ids)]).await?;
        Ok(rows.first().map(doc).transpose()?)
    }

    async fn runs(&self, query: &RunQuery) -> crate::Result<Vec<Run>> {
        let (than, order, end) = match query.order {
            Order::OldestFirst => (">", "ASC", ""),
            Order::NewestFirst => ("<", "DESC", BEYOND),
        };
        let (only, of) = match (&query.task, &query.project) {
            (Some(task), _) => ("task = $1", task.to_string()),
            (None, Some(project)) => ("project = $1", project.clone()),
            (None, None) => ("$1 = ''", String::new()),
        };
        let sql =
            format!("SELECT doc FROM hp.run WHERE {only} AND id {than} $2 ORDER BY id {order} LIMIT $3");
        let after = query.after.map_or_else(|| end.to_owned(), |id| id.to_string());
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let rows = self.pool().query(&sql, &[text(&of), text(&after), int(&limit)]).await?;
        Ok(rows.iter().map(doc).collect::<Result<_>>()?)
    }

    async fn runs_named(
        &self,
        part: &NamePart,
        after: Option<ObjectId>,
        limit: usize,
    ) -> crate::Result<Vec<Run>> {
        let before = after.map_or_else(|| BEYOND.to_owned(), |id| id.to_string());
        let (start, above, end) = (part.as_str().to_owned(), part.above(), part.end().to_owned());
        let count = i64::try_from(limit).unwrap_or(i64::MAX);
        let starting = [text(&start), text(&above), text(&before), int(&count)];
        let starting = self.pool().query(STARTING, &starting).await?;
        let ending = [text(&end), text(&start), text(&before), int(&count)];
        let ending = self.pool().query(ENDING, &ending).await?;
        let named = match part.start_of_name().map(str::to_owned) {
            Some(start) => self.pool().query(NAMED, &[text(&start), text(&before), int(&count)]).await?,
            None => Vec::new(),
        };
        let [starting, ending, named] =
            [starting, ending, named].map(|rows| rows.iter().map(doc).collect::<Result<Vec<Run>>>());
        Ok(NamePart::joined([starting?, ending?, named?], limit))
    }

    async fn run_events(&self, run: &Run) -> crate::Result<Vec<Logged>> {
        let stream = of_owner(&run.project, &run::owner(run.id));
        Ok(events::of_stream(self.pool(), &stream).await?)
    }
}

fn doc(row: &tokio_postgres::Row) -> Result<Run> {
    Ok(serde_json::from_str(get(row, 0)?)?)
}

/// Loads the runs and tasks that a batch names, where it names any.
pub(super) async fn load(
    connection: &Connection,
    snapshot: &mut Snapshot,
    runs: Vec<ObjectId>,
    tasks: Vec<ObjectId>,
) -> Result<()> {
    if runs.is_empty() && tasks.is_empty() {
        return Ok(());
    }
    let texts_of = |ids: &[ObjectId]| ids.iter().map(ToString::to_string).collect::<Vec<String>>();
    let (run_ids, task_ids) = (texts_of(&runs), texts_of(&tasks));
    let sends = [send(LOAD, &[texts(&run_ids)]), send(TASKS, &[texts(&task_ids)])];
    let loaded = connection.pipeline(&sends).await?;
    let of_tasks = loaded.get(1).into_iter().flatten();
    for row in of_tasks {
        let run = doc(row)?;
        snapshot.put_task(run.task.id, Some(run.task));
    }
    for row in loaded.first().into_iter().flatten() {
        let run = doc(row)?;
        snapshot.load_run(run.id, Some(Arc::new(run)));
    }
    for id in runs {
        if !snapshot.has_run(id) {
            snapshot.load_run(id, None);
        }
    }
    for id in tasks {
        if !snapshot.has_task(id) {
            snapshot.put_task(id, None);
        }
    }
    Ok(())
}

/// Writes the runs that are new or changed.
pub(super) async fn save(
    connection: &Connection,
    snapshot: &Snapshot,
    ids: &BTreeSet<ObjectId>,
) -> Result<()> {
    for run in ids.iter().filter_map(|id| snapshot.run(*id)) {
        save_one(connection, run).await?;
    }
    Ok(())
}

async fn save_one(connection: &Connection, run: &Run) -> Result<()> {
    let (id, task, doc) = (run.id.to_string(), run.task.id.to_string(), serde_json::to_string(run)?);
    connection.query(SAVE, &[text(&id), text(&run.project), text(&task), text(&doc)]).await.map(drop)
}

/// Compares all runs with the log; where asked to, rewrites what differs.
pub(super) async fn inspect(connection: &Connection, walk: &mut Replay, repair: Repair) -> Result<()> {
    let rows = connection.query("SELECT id, doc FROM hp.run", &[]).await?;
    let rows = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<_>>()?;
    for (id, right) in walk.compare_runs(rows) {
        if repair == Repair::Rebuild {
            connection.query("DELETE FROM hp.run WHERE id = $1", &[text(&id)]).await?;
            if let Some(run) = right {
                save_one(connection, run).await?;
            }
        }
    }
    Ok(())
}
