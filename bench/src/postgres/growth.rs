//! The same measurements with many settled decisions. They are copies of one that was really settled: only the size
//! of tables and indexes matters.

use std::time::Instant;

use holdpoint_engine::Engine;
use holdpoint_store::Query;
use tokio_postgres::NoTls;

use super::cluster::Cluster;
use super::cycles::cycles;
use super::{TURN, row};
use crate::sample::{Times, middle};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, say};

/// Copies a settled decision and its events COUNT times, and adjusts numbering and the end of the log.
const SQL: &str = "SET synchronous_commit = off; SET search_path = holdpoint; BEGIN; LOCK TABLE head; \
    CREATE TEMP TABLE sample AS SELECT d.*, (SELECT value FROM meta WHERE name = 'last_number') AS last, \
        (SELECT seq FROM head) AS end_of_log FROM decision AS d WHERE status = 'answered' LIMIT 1; \
    INSERT INTO decision (n, id, project, status, source, owner, requested_by, created_at, deadline, settled_at, \
            version, doc) \
        SELECT last + g, id, project, status, source, owner, requested_by, created_at, deadline, settled_at, version, \
            doc FROM sample, generate_series(1, COUNT) AS g; \
    INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
        SELECT end_of_log + 2 * (g - 1) + v, 'decision/' || (last + g), v, 'decision:created', created_at, '{}', \
            sha256('x'), sha256('x'), sha256('x') FROM sample, generate_series(1, COUNT) AS g, generate_series(1, 2) AS v; \
    UPDATE meta SET value = value + COUNT WHERE name = 'last_number'; \
    UPDATE head SET seq = seq + 2 * COUNT; \
    COMMIT; ANALYZE decision; ANALYZE event; CHECKPOINT";

pub(super) async fn measure(
    cluster: &Cluster,
    nodes: &[Engine],
    before: f64,
    extent: Extent,
) -> Result<Vec<Row>> {
    let (count, rounds) = if extent == Extent::Full { (1_000_000, 5) } else { (100_000, 3) };
    let start = Instant::now();
    let (client, carrier) = tokio_postgres::connect(&cluster.address(), NoTls).await?;
    tokio::spawn(carrier);
    client.batch_execute(&SQL.replace("COUNT", &count.to_string())).await?;
    say(&format!("postgres: {count} settled decisions in {:.1} s", start.elapsed().as_secs_f64()))?;
    let mut rates = Vec::new();
    let mut lists = Vec::new();
    for _ in 0..rounds {
        rates.push(cycles(nodes, 64, TURN).await?);
        for _ in 0..40 {
            let start = Instant::now();
            let query =
                Query { statuses: vec![holdpoint_core::Status::Pending], limit: 50, ..Query::default() };
            for node in nodes {
                node.store().list(&query).await?;
            }
            lists.push(start.elapsed());
        }
    }
    Ok(vec![
        row(
            format!("cycles behind {count} settled decisions, 64 workers, one node"),
            middle(rates),
            (before, "behind few"),
            0.0,
        ),
        Row {
            what: format!("  first page of what is pending behind {count}"),
            measured: Quantity::Time(Times::new(lists).median()),
            peer: None,
            target: Target::None,
        },
    ])
}
