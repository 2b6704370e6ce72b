//! Jobs and nodes in the shared store.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Job, JobStatus, Span, Timestamp};
use tokio_postgres::Row;

use super::Postgres;
use super::connection::{Connection, Param, Send, get, int, ints, maybe_int, send, text, texts};
use super::decisions::most;
use super::error::Result;
use crate::jobs::{StoredJob, readable};
use crate::plan::{JobWrite, Snapshot, Writes};
use crate::replay::Replay;
use crate::{JobQuery, Jobs, Node, Repair};

/// How long a node that says nothing any more is remembered.
const FORGET_AFTER_MS: i64 = 24 * 60 * 60 * 1_000;

const JOB: &str = "SELECT stream, version, doc FROM hp.job WHERE id = $1 LIMIT 1";
const FIND: &str = "SELECT id FROM hp.job WHERE starts_with(id, $1) ORDER BY id LIMIT $2";
const LIST: &str = "SELECT doc FROM hp.job WHERE ($1 IS NULL OR project = $1) \
    AND (cardinality($2) = 0 OR status = ANY($2)) AND (cardinality($3) = 0 OR project = ANY($3)) \
    ORDER BY created_at DESC, id DESC LIMIT $4";
const LIST_ACTIVE: &str = "SELECT doc FROM hp.job WHERE status IN ('pending', 'running', 'waiting') \
    AND ($1 IS NULL OR project = $1) AND (cardinality($2) = 0 OR status = ANY($2)) \
    AND (cardinality($3) = 0 OR project = ANY($3)) ORDER BY created_at DESC, id DESC LIMIT $4";
const BEAT: &str = "WITH old AS (DELETE FROM hp.node WHERE leased_until < coalesce($3, hp.clock()) - $5 AND id <> $1) \
    INSERT INTO hp.node (id, name, leased_until) VALUES ($1, $2, coalesce($3, hp.clock()) + $4) \
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, leased_until = excluded.leased_until";
const NODES: &str = "SELECT id, name, leased_until > coalesce($1, hp.clock()) FROM hp.node ORDER BY id";
/// Loads jobs by their streams.
pub(super) const LOAD: &str = "SELECT stream, version, doc FROM hp.job WHERE stream = ANY($1)";
const PUT: &str = "INSERT INTO hp.job (stream, id, project, status, node, created_at, version, doc) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (stream) DO UPDATE SET \
    status = excluded.status, node = excluded.node, version = excluded.version, doc = excluded.doc";
const DELETE: &str = "DELETE FROM hp.job WHERE stream = ANY($1)";

#[async_trait]
impl Jobs for Postgres {
    async fn job_row(&self, id: &str) -> crate::Result<Option<(String, StoredJob)>> {
        let rows = self.pool().query(JOB, &[text(&id)]).await?;
        Ok(rows.first().map(stored).transpose()?)
    }

    async fn find_jobs(&self, prefix: &str, limit: usize) -> crate::Result<Vec<String>> {
        let rows = self.pool().query(FIND, &[text(&prefix), int(&most(limit))]).await?;
        Ok(rows.iter().map(|row| get(row, 0)).collect::<Result<_>>()?)
    }

    async fn jobs(&self, query: &JobQuery) -> crate::Result<Vec<Job>> {
        let names: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
        let active = !query.statuses.is_empty() && query.statuses.iter().all(|status| status.is_active());
        let sql = if active { LIST_ACTIVE } else { LIST };
        let limit = most(query.limit);
        let params = [text(&query.project), texts(&names), texts(&query.projects), int(&limit)];
        let rows = self.pool().query(sql, &params).await?;
        let docs = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<&str>>>()?;
        Ok(docs.into_iter().filter_map(readable).collect())
    }

    async fn beat(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> crate::Result<()> {
        let time = self.pool().address.time(now);
        let lease = lease.as_millis();
        let params = [text(&node), text(&name), maybe_int(&time), int(&lease), int(&FORGET_AFTER_MS)];
        self.pool().query(BEAT, &params).await?;
        Ok(())
    }

    async fn nodes(&self, now: Timestamp) -> crate::Result<Vec<Node>> {
        let time = self.pool().address.time(now);
        let rows = self.pool().query(NODES, &[maybe_int(&time)]).await?;
        let node = |row: &Row| Ok(Node { id: get(row, 0)?, name: get(row, 1)?, alive: get(row, 2)? });
        Ok(rows.iter().map(node).collect::<Result<_>>()?)
    }
}

/// Reads `stream, version, doc`.
fn stored(row: &Row) -> Result<(String, StoredJob)> {
    let job = Arc::new(serde_json::from_str(get(row, 2)?)?);
    Ok((get(row, 0)?, StoredJob { job, version: get(row, 1)? }))
}

/// Puts loaded jobs into the snapshot; those that are not there as not there.
pub(super) fn put_loaded(rows: &[Row], wanted: &[String], snapshot: &mut Snapshot) -> Result<()> {
    for row in rows {
        let (stream, stored) = stored(row)?;
        snapshot.load_job(stream, Some(stored));
    }
    for stream in wanted {
        if !snapshot.has_job(stream) {
            snapshot.load_job(stream.clone(), None);
        }
    }
    Ok(())
}

/// The rows of jobs, column by column.
#[derive(Default)]
pub(super) struct Rows {
    stream: Vec<String>,
    id: Vec<String>,
    project: Vec<String>,
    status: Vec<&'static str>,
    node: Vec<Option<String>>,
    created_at: Vec<i64>,
    version: Vec<i64>,
    doc: Vec<String>,
    deleted: Vec<String>,
}

impl Rows {
    pub(super) fn of(snapshot: &Snapshot, writes: &Writes) -> Result<Self> {
        let mut rows = Self::default();
        for (stream, write) in &writes.jobs {
            match (write, snapshot.job(stream)) {
                (JobWrite::Put, Some(stored)) => rows.push(stream, stored)?,
                _ => rows.deleted.push(stream.clone()),
            }
        }
        Ok(rows)
    }

    fn push(&mut self, stream: &str, stored: &StoredJob) -> Result<()> {
        let job = &stored.job;
        self.stream.push(stream.to_owned());
        self.id.push(job.id.clone());
        self.project.push(job.project.clone());
        self.status.push(job.status.name());
        self.node.push(job.node.clone());
        self.created_at.push(job.created_at.as_millis());
        self.version.push(stored.version);
        self.doc.push(serde_json::to_string(&**job)?);
        Ok(())
    }

    /// Returns the statements that write them.
    pub(super) fn sends(&self) -> Vec<Send<'_>> {
        let mut sends = Vec::new();
        if !self.stream.is_empty() {
            let params: [Param<'_>; 8] = [
                texts(&self.stream),
                texts(&self.id),
                texts(&self.project),
                texts(&self.status),
                texts(&self.node),
                ints(&self.created_at),
                ints(&self.version),
                texts(&self.doc),
            ];
            sends.push(send(PUT, &params));
        }
        if !self.deleted.is_empty() {
            sends.push(send(DELETE, &[texts(&self.deleted)]));
        }
        sends
    }
}

/// Compares the jobs with what the log makes of them, and repairs them.
pub(super) async fn inspect(connection: &Connection, walk: &mut Replay, repair: Repair) -> Result<()> {
    let mut found = Vec::new();
    for row in connection.query("SELECT stream, version, doc, status, node FROM hp.job", &[]).await? {
        let (status, node): (String, Option<String>) = (get(&row, 3)?, get(&row, 4)?);
        let job = serde_json::from_str::<Job>(get(&row, 2)?).ok();
        let job = job.filter(|job| Some(job.status) == JobStatus::from_name(&status) && job.node == node);
        let version = get(&row, 1)?;
        found.push((get::<String>(&row, 0)?, job.map(|job| StoredJob { job: Arc::new(job), version })));
    }
    let mut rows = Rows::default();
    for (stream, right) in walk.compare_jobs(found) {
        if let Some(right) = right {
            rows.push(&stream, &right)?;
        }
        rows.deleted.push(stream);
    }
    if repair == Repair::Rebuild && !rows.deleted.is_empty() {
        let mut sends = rows.sends();
        sends.reverse();
        connection.pipeline(&sends).await?;
    }
    Ok(())
}
