//! A store in a schema of its own.

use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_store::chain::unhex;
use holdpoint_store::conformance::{StoreHarness, Tampering};
use holdpoint_store::postgres::{self, Address, Clock};
use holdpoint_store::{LogRow, Options, Store};
use tokio_postgres::NoTls;

use super::cluster::{Cluster, fresh_schema};

/// A schema that goes with the server.
pub(crate) struct Schema {
    pub(crate) cluster: &'static Cluster,
    pub(crate) name: String,
}

impl Schema {
    pub(crate) fn new(cluster: &'static Cluster) -> Self {
        Self { cluster, name: fresh_schema() }
    }

    pub(crate) fn address(&self) -> Address {
        Address::parse(&self.cluster.address(&self.name)).unwrap()
    }

    /// Opens the store with the database's own clock.
    pub(crate) async fn store(&self) -> postgres::Postgres {
        postgres::open(self.address(), Options::default()).await.unwrap()
    }

    /// Connects as any other program could.
    pub(crate) async fn raw(&self) -> tokio_postgres::Client {
        let url = self.cluster.address(&self.name).replace(&format!("&schema={}", self.name), "");
        let (client, carrier) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(carrier);
        client.batch_execute(&format!("SET search_path = {}", self.name)).await.unwrap();
        client
    }
}

#[async_trait]
impl StoreHarness for Schema {
    async fn open(&self, options: Options) -> Arc<dyn Store> {
        Arc::new(postgres::open(self.address().with_clock(Clock::Caller), options).await.unwrap())
    }

    async fn tamper(&self, tampering: Tampering) {
        let raw = self.raw().await;
        let touched = match tampering {
            Tampering::Body { seq, body } => {
                raw.execute("UPDATE event SET body = $2 WHERE seq = $1", &[&seq, &body]).await
            }
            Tampering::At { seq, at } => {
                raw.execute("UPDATE event SET at = $2 WHERE seq = $1", &[&seq, &at]).await
            }
            Tampering::Remove { seq } => raw.execute("DELETE FROM event WHERE seq = $1", &[&seq]).await,
            Tampering::CutAfter { seq } => raw.execute("DELETE FROM event WHERE seq > $1", &[&seq]).await,
            Tampering::Projection { status } => {
                raw.execute("UPDATE decision SET status = $1 WHERE n = 1", &[&status]).await
            }
            Tampering::Brief { brief } => {
                raw.execute("UPDATE decision SET brief = $1 WHERE n = 1", &[&brief]).await
            }
            Tampering::Row { doc, status, deadline } => {
                let sql = "UPDATE decision SET doc = $1, status = $2, deadline = $3 WHERE n = 1";
                raw.execute(sql, &[&doc, &status, &deadline]).await
            }
            Tampering::JobRow { doc } => raw.execute("UPDATE job SET doc = $1", &[&doc]).await,
            Tampering::Keys => {
                let sql = "INSERT INTO idempotency (project, credential, key, digest, n, at) \
                     SELECT project, credential, key || '2', digest, 1, at FROM idempotency WHERE true ON CONFLICT DO NOTHING; \
                     UPDATE idempotency SET n = 1";
                raw.batch_execute(sql).await.map(|()| 2)
            }
            Tampering::Settings => raw.execute("UPDATE project SET min_timeout = 7", &[]).await,
            Tampering::Restore { seq } => {
                raw.execute("DELETE FROM event WHERE seq > $1", &[&seq]).await.unwrap();
                let sql = "DELETE FROM decision AS d \
                     WHERE NOT EXISTS (SELECT 1 FROM event WHERE stream = 'decision/' || d.n); \
                     DELETE FROM checkpoint WHERE seq > (SELECT max(seq) FROM event); \
                     UPDATE head AS h SET seq = e.seq, hash = e.hash, at = e.at \
                     FROM (SELECT seq, hash, at FROM event ORDER BY seq DESC LIMIT 1) AS e";
                raw.batch_execute(sql).await.unwrap();
                let back = "UPDATE meta SET value = (SELECT max(n) FROM decision) WHERE name = 'last_number'";
                raw.execute(back, &[]).await
            }
            Tampering::Runs => raw.execute("DELETE FROM run", &[]).await,
            Tampering::Index => raw.execute("DELETE FROM search WHERE n = 1", &[]).await,
            Tampering::Usage => raw.execute("UPDATE usage SET bytes = bytes + 1", &[]).await,
            Tampering::Counter => raw.execute("UPDATE counter SET n = n + 1", &[]).await,
            Tampering::Job => raw.execute("UPDATE job SET status = 'done'", &[]).await,
            Tampering::Threads => raw.execute("DELETE FROM thread", &[]).await,
            Tampering::Log { links } => {
                raw.batch_execute("DELETE FROM checkpoint; DELETE FROM event").await.unwrap();
                for link in &links {
                    insert(&raw, link).await.unwrap();
                }
                Ok(links.len() as u64)
            }
            Tampering::Unexplained => {
                let sql = "INSERT INTO session (hash, person, created_at, expires_at) VALUES ('\\x00', 'local:eve', 0, 9); \
                     INSERT INTO outbox (id, seq, lane, target, not_before, not_after) \
                     VALUES (7, 999, 'webhook', 'x', 0, 9)";
                raw.batch_execute(sql).await.map(|()| 2)
            }
            Tampering::Outbox { id, seq, lane, decision } => {
                let sql = "INSERT INTO outbox (id, seq, lane, target, decision, not_before, not_after) \
                     VALUES ($1, $2, $3, 'eve', $4, 1, 9000000000000)";
                raw.execute(sql, &[&id, &seq, &lane, &decision]).await
            }
            Tampering::Secrets => {
                let sql = "UPDATE token SET hash = decode(repeat('00', 32), 'hex'); UPDATE person SET password = 'other'; \
                     INSERT INTO session (hash, person, created_at, expires_at) \
                     VALUES (decode(repeat('00', 32), 'hex'), 'bo', 0, 9000000000000)";
                raw.batch_execute(sql).await.map(|()| 3)
            }
            Tampering::Append { link } => insert(&raw, &link).await,
            Tampering::Checkpoint { seq } => {
                raw.execute("DELETE FROM checkpoint WHERE seq = $1", &[&seq]).await
            }
            Tampering::Roles => {
                raw.batch_execute(
                    "UPDATE token SET role = 'admin', projects = '[]'; UPDATE person SET role = 'admin'; \
                     UPDATE meta SET value = 0 WHERE name = 'auth_required'",
                )
                .await
                .unwrap();
                raw.execute(
                    "INSERT INTO token (id, name, role, projects, hash, created_at, created_by) \
                     VALUES ('tok-x', 'x', 'admin', '[]', '\\x00', 0, 'x')",
                    &[],
                )
                .await
            }
        };
        assert!(touched.unwrap() > 0);
    }
}

/// Adds an event, and moves the head to it.
async fn insert(raw: &tokio_postgres::Client, link: &LogRow) -> Result<u64, tokio_postgres::Error> {
    let LogRow { seq, stream, version, tag, at, body, body_hash, prev, hash, proof } = link;
    let [body_hash, prev, hash] = [body_hash, prev, hash].map(|hash| unhex(hash).unwrap());
    raw.execute("UPDATE head SET seq = $1, hash = $2, at = $3", &[seq, &hash, at]).await?;
    raw.execute(
        "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash, proof) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[seq, stream, version, tag, at, body, &body_hash, &prev, &hash, proof],
    )
    .await
}
