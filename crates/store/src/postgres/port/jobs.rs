//! Jobs and nodes in the shared store.

use async_trait::async_trait;
use holdpoint_core::{Job, Span, Timestamp};
use tokio_postgres::Row;

use crate::jobs::{StoredJob, readable};
use crate::postgres::Postgres;
use crate::postgres::connection::{get, int, maybe_int, text, texts};
use crate::postgres::decisions::most;
use crate::postgres::error::Result;
use crate::postgres::jobs::stored;
use crate::{JobQuery, Jobs, Node};

/// How long a node that no longer reports is kept.
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

    async fn renew_lease(&self, node: &str, name: &str, now: Timestamp, lease: Span) -> crate::Result<()> {
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
