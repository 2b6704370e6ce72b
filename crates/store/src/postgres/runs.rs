//! The rows of runs: loads, writes and compares them with the log.

use std::collections::BTreeSet;
use std::sync::Arc;

use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;

use super::connection::{Connection, get, send, text, texts};
use super::error::Result;
use crate::Repair;
use crate::plan::Snapshot;
use crate::replay::Replay;

/// Loads runs by their ids.
pub(super) const LOAD: &str = "SELECT doc FROM hp.run WHERE id = ANY($1)";
const TASKS: &str = "SELECT DISTINCT ON (task) doc FROM hp.run WHERE task = ANY($1) ORDER BY task, id";
const SAVE: &str = "INSERT INTO hp.run (id, project, task, doc) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (id) DO UPDATE SET doc = excluded.doc";

/// Reads `doc`.
pub(super) fn doc(row: &tokio_postgres::Row) -> Result<Run> {
    Ok(serde_json::from_str(get(row, 0)?)?)
}

/// Loads the runs and tasks that a batch names, if any.
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

/// Writes the new and changed runs.
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

/// Compares all runs with the log; if requested, rewrites what differs.
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
