//! Jobs and nodes in the embedded store.

use async_trait::async_trait;
use holdpoint_core::{Job, Span, Timestamp};
use rusqlite::{OptionalExtension, params};

use crate::jobs::{StoredJob, readable};
use crate::sqlite::Sqlite;
use crate::sqlite::jobs::stored;
use crate::{JobQuery, Jobs, Node, Result};

/// How long a node that no longer reports is kept.
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
        // A partial index is used only if the SQL text contains its condition.
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

    async fn renew_lease(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> Result<()> {
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
