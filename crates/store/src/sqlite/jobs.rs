//! The rows of jobs: loads, writes and compares them with the log.

use std::sync::Arc;

use holdpoint_core::{Job, JobStatus};
use rusqlite::{Connection, OptionalExtension, params};

use crate::jobs::StoredJob;
use crate::plan::{JobWrite, Snapshot, Writes};
use crate::replay::Replay;
use crate::{Repair, Result};

/// Loads a job by its stream, if it was not loaded before.
pub(super) fn load(connection: &Connection, snapshot: &mut Snapshot, stream: &str) -> Result<()> {
    if snapshot.has_job(stream) {
        return Ok(());
    }
    let mut statement = connection.prepare_cached("SELECT version, doc FROM job WHERE stream = ?1")?;
    let row = statement
        .query_row([stream], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    snapshot.load_job(stream.to_owned(), row.map(|(version, doc)| stored(version, &doc)).transpose()?);
    Ok(())
}

/// Reads the row of a job.
pub(super) fn stored(version: i64, doc: &str) -> Result<StoredJob> {
    Ok(StoredJob { job: Arc::new(serde_json::from_str(doc)?), version })
}

/// Writes new and changed jobs, and deletes removed ones.
pub(super) fn save(connection: &Connection, snapshot: &Snapshot, writes: &Writes) -> Result<()> {
    for (stream, write) in &writes.jobs {
        match (write, snapshot.job(stream)) {
            (JobWrite::Put, Some(stored)) => write_job(connection, stream, stored)?,
            _ => delete(connection, stream)?,
        }
    }
    Ok(())
}

fn write_job(connection: &Connection, stream: &str, stored: &StoredJob) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO job (stream, id, project, status, node, created_at, version, doc) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (stream) DO UPDATE SET status = excluded.status, \
         node = excluded.node, version = excluded.version, doc = excluded.doc",
    )?;
    let job = &stored.job;
    let doc = serde_json::to_string(&**job)?;
    let created_at = job.created_at.as_millis();
    statement.execute(params![
        stream,
        job.id,
        job.project,
        job.status.name(),
        job.node,
        created_at,
        stored.version,
        doc
    ])?;
    Ok(())
}

fn delete(connection: &Connection, stream: &str) -> Result<()> {
    connection.prepare_cached("DELETE FROM job WHERE stream = ?1")?.execute([stream])?;
    Ok(())
}

/// Compares jobs with the log, and repairs them.
pub(super) fn inspect(connection: &Connection, replay: &mut Replay, repair: Repair) -> Result<()> {
    let mut statement = connection.prepare("SELECT stream, version, doc, status, node FROM job")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (status, node): (String, Option<String>) = (row.get(3)?, row.get(4)?);
        let job = serde_json::from_str::<Job>(&row.get::<_, String>(2)?).ok();
        let job = job.filter(|job| Some(job.status) == JobStatus::from_name(&status) && job.node == node);
        let version = row.get(1)?;
        found.push((row.get::<_, String>(0)?, job.map(|job| StoredJob { job: Arc::new(job), version })));
    }
    drop(rows);
    for (stream, right) in replay.compare_jobs(found) {
        if repair == Repair::Rebuild {
            delete(connection, &stream)?;
            if let Some(right) = right {
                write_job(connection, &stream, &right)?;
            }
        }
    }
    Ok(())
}
