//! Jobs and nodes in the embedded store.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Job, JobStatus, Span, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::Sqlite;
use crate::jobs::{StoredJob, readable};
use crate::plan::{JobWrite, Snapshot, Writes};
use crate::replay::Replay;
use crate::{JobQuery, Jobs, Node, Repair, Result};

/// How long a node that says nothing any more is remembered.
const FORGET_AFTER_MS: i64 = 24 * 60 * 60 * 1_000;
const BEAT: &str = "INSERT INTO node (id, name, leased_until) VALUES (?1, ?2, ?3) \
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, leased_until = excluded.leased_until";

#[async_trait]
impl Jobs for Sqlite {
    async fn job_row(&self, id: &str) -> Result<Option<(String, StoredJob)>> {
        self.read(|reader| {
            let mut statement = reader
                .connection
                .prepare_cached("SELECT stream, version, doc FROM job WHERE id = ?1 LIMIT 1")?;
            let row = statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
            let row: Option<(String, i64, String)> = row.optional()?;
            row.map(|(stream, version, doc)| Ok((stream, stored(version, &doc)?))).transpose()
        })
    }

    async fn find_jobs(&self, prefix: &str, limit: usize) -> Result<Vec<String>> {
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(
                "SELECT id FROM job WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2",
            )?;
            let ids = statement.query_map(params![prefix, limit], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>> {
        let names: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
        let (names, projects) = (serde_json::to_string(&names)?, serde_json::to_string(&query.projects)?);
        // The partial index is taken only where the statement itself says what it is about.
        let active = !query.statuses.is_empty() && query.statuses.iter().all(|status| status.is_active());
        let only = if active { "status IN ('pending', 'running', 'waiting') AND" } else { "" };
        let sql = format!(
            "SELECT doc FROM job WHERE {only} (?1 IS NULL OR project = ?1) \
             AND (?2 = '[]' OR status IN (SELECT value FROM json_each(?2))) \
             AND (?3 = '[]' OR project IN (SELECT value FROM json_each(?3))) \
             ORDER BY created_at DESC, id DESC LIMIT ?4"
        );
        self.read(|reader| {
            let mut statement = reader.connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params![query.project, names, projects, query.limit])?;
            let mut jobs = Vec::new();
            while let Some(row) = rows.next()? {
                jobs.extend(readable(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?));
            }
            Ok(jobs)
        })
    }

    async fn beat(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> Result<()> {
        let (node, name) = (node.to_owned(), name.to_owned());
        let now = now.as_millis();
        self.writer()
            .write(move |tx, _| {
                tx.execute("DELETE FROM node WHERE leased_until < ?1", [now - FORGET_AFTER_MS])?;
                tx.execute(BEAT, params![node, name, now.saturating_add(lease.as_millis())])?;
                Ok(())
            })
            .await
    }

    async fn nodes(&self, now: Timestamp) -> Result<Vec<Node>> {
        self.read(|reader| {
            let mut statement = reader
                .connection
                .prepare_cached("SELECT id, name, leased_until > ?1 FROM node ORDER BY id")?;
            let node =
                |row: &rusqlite::Row<'_>| Ok(Node { id: row.get(0)?, name: row.get(1)?, alive: row.get(2)? });
            Ok(statement.query_map([now.as_millis()], node)?.collect::<rusqlite::Result<_>>()?)
        })
    }
}

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

fn stored(version: i64, doc: &str) -> Result<StoredJob> {
    Ok(StoredJob { job: Arc::new(serde_json::from_str(doc)?), version })
}

/// Writes jobs that are new or changed, and takes out those that are gone.
pub(super) fn save(connection: &Connection, snapshot: &Snapshot, writes: &Writes) -> Result<()> {
    for (stream, write) in &writes.jobs {
        match (write, snapshot.job(stream)) {
            (JobWrite::Put, Some(stored)) => put(connection, stream, stored)?,
            _ => delete(connection, stream)?,
        }
    }
    Ok(())
}

fn put(connection: &Connection, stream: &str, stored: &StoredJob) -> Result<()> {
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

/// Compares the jobs with what the log makes of them, and repairs them.
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
                put(connection, &stream, &right)?;
            }
        }
    }
    Ok(())
}
