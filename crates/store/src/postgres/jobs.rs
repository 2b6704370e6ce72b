//! The rows of jobs: loads, writes and compares them with the log.

use std::sync::Arc;

use holdpoint_core::{Job, JobStatus};
use tokio_postgres::Row;

use super::connection::{Connection, Param, Send, get, ints, send, texts};
use super::error::Result;
use crate::Repair;
use crate::jobs::StoredJob;
use crate::plan::{JobWrite, Snapshot, Writes};
use crate::replay::Replay;

/// Loads jobs by their streams.
pub(super) const LOAD: &str = "SELECT stream, version, doc FROM hp.job WHERE stream = ANY($1)";
const PUT: &str = "INSERT INTO hp.job (stream, id, project, status, node, created_at, version, doc) \
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (stream) DO UPDATE SET \
    status = excluded.status, node = excluded.node, version = excluded.version, doc = excluded.doc";
const DELETE: &str = "DELETE FROM hp.job WHERE stream = ANY($1)";

/// Reads `stream, version, doc`.
pub(super) fn stored(row: &Row) -> Result<(String, StoredJob)> {
    let job = Arc::new(serde_json::from_str(get(row, 2)?)?);
    Ok((get(row, 0)?, StoredJob { job, version: get(row, 1)? }))
}

/// Puts loaded jobs into the snapshot, and records the others as missing.
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

/// Compares jobs with the log, and repairs them.
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
