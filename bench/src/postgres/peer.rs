//! The hand-written peer: a table, an INSERT, an UPDATE with NOTIFY, and one connection that listens for all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::poll_fn;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_postgres::{AsyncMessage, Client, NoTls, Statement};

use super::cluster::Cluster;
use crate::{Result, seed};

/// How many connections the workers share, each with several statements in flight.
const CONNECTIONS: usize = 16;

type Waiters = Arc<Mutex<HashMap<i64, oneshot::Sender<()>>>>;

/// Hand-written PostgreSQL.
pub(super) struct Peer {
    lines: Vec<Arc<Line>>,
    waiters: Waiters,
    doc: Arc<str>,
    /// Kept, because dropping it closes the connection.
    _listener: Client,
}

struct Line {
    client: Client,
    ask: Statement,
    answer: Statement,
    read: Statement,
}

impl Peer {
    pub(super) async fn start(cluster: &Cluster) -> Result<Self> {
        let (listener, mut carrier) = tokio_postgres::connect(&cluster.address(), NoTls).await?;
        let waiters = Waiters::default();
        let woken = Arc::clone(&waiters);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| carrier.poll_message(context)).await {
                let AsyncMessage::Notification(word) = message else { continue };
                let Ok(id) = word.payload().parse::<i64>() else { continue };
                if let Some(waiter) = woken.lock().unwrap_or_else(PoisonError::into_inner).remove(&id) {
                    let _ = waiter.send(());
                }
            }
        });
        listener
            .batch_execute(
                "CREATE TABLE peer (id BIGSERIAL PRIMARY KEY, status TEXT NOT NULL, doc TEXT NOT NULL, answer TEXT); \
                 CREATE INDEX peer_pending ON peer (id) WHERE status = 'pending'; LISTEN peer",
            )
            .await?;
        let mut lines = Vec::new();
        for _ in 0..CONNECTIONS {
            let (client, carrier) = tokio_postgres::connect(&cluster.address(), NoTls).await?;
            tokio::spawn(carrier);
            let ask =
                client.prepare("INSERT INTO peer (status, doc) VALUES ('pending', $1) RETURNING id").await?;
            let answer = client
                .prepare(
                    "WITH done AS (UPDATE peer SET status = 'answered', answer = $2 \
                     WHERE id = $1 AND status = 'pending' RETURNING id) \
                     SELECT pg_notify('peer', id::text) FROM done",
                )
                .await?;
            let read = client.prepare("SELECT status, answer FROM peer WHERE id = $1").await?;
            lines.push(Arc::new(Line { client, ask, answer, read }));
        }
        let doc = format!("{:?}", seed::question(1)).chars().take(900).collect::<String>();
        Ok(Self { lines, waiters, doc: doc.into(), _listener: listener })
    }

    /// Runs this many workers, each in a closed loop; returns cycles per second.
    pub(super) async fn cycles(&self, workers: usize, time: Duration) -> Result<f64> {
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for number in 0..workers {
            let (line, waiters, doc) = (self.line(number), Arc::clone(&self.waiters), Arc::clone(&self.doc));
            tasks.spawn(async move {
                let mut done = 0_u32;
                while start.elapsed() < time {
                    cycle(&line, &waiters, &doc).await?;
                    done += 1;
                }
                Ok::<u32, Box<dyn std::error::Error + Send + Sync>>(done)
            });
        }
        let mut done = 0;
        while let Some(worker) = tasks.join_next().await {
            done += worker??;
        }
        Ok(f64::from(done) / start.elapsed().as_secs_f64())
    }

    /// Returns how long after an answer is sent the waiter has it.
    pub(super) async fn wake(&self) -> Result<Duration> {
        cycle(&self.line(0), &self.waiters, &self.doc).await
    }

    fn line(&self, number: usize) -> Arc<Line> {
        Arc::clone(&self.lines[number % self.lines.len()])
    }
}

async fn cycle(line: &Arc<Line>, waiters: &Waiters, doc: &str) -> Result<Duration> {
    let id: i64 = line.client.query_one(&line.ask, &[&doc]).await?.get(0);
    let (sender, woken) = oneshot::channel();
    waiters.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
    let reading = Arc::clone(line);
    let waiter = tokio::spawn(async move {
        // It may have been settled before any waiter was registered; it is read either way.
        let _ = woken.await;
        let row = reading.client.query_one(&reading.read, &[&id]).await?;
        Ok::<_, tokio_postgres::Error>((row.get::<_, Option<String>>(1), Instant::now()))
    });
    let start = Instant::now();
    line.client.query(&line.answer, &[&id, &"pin"]).await?;
    let (answer, at) = waiter.await??;
    if answer.is_none() {
        return Err("woken for nothing".into());
    }
    Ok(at.saturating_duration_since(start))
}
