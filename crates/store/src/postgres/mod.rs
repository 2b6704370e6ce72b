//! The store that several nodes share: one PostgreSQL schema.
//!
//! Reads are single statements on a few connections; writes go through one task that commits whatever has queued up.
//! The head row is locked first, so that all nodes commit events in the order of their seq. Statements write the schema
//! as `hp`; the connection inserts the real name.

/// Reads a column with a document as JSON. PostgreSQL texts cannot contain a zero character, so it is replaced, as in
/// the schema's views.
macro_rules! document {
    ($doc:literal) => {
        concat!(
            "(CASE WHEN strpos(",
            $doc,
            r", '\u0000') > 0 THEN regexp_replace(",
            $doc,
            r", '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g') ELSE ",
            $doc,
            " END)::json"
        )
    };
}

mod address;
mod channels;
mod checkpoints;
mod commit;
mod connection;
mod credentials;
mod decision_rows;
mod decisions;
mod error;
mod events;
mod idempotency;
mod inspect;
mod items;
mod jobs;
mod list;
mod load;
mod migrate;
mod outbox;
mod pool;
mod port;
mod push;
mod queue;
mod runs;
mod save;
mod search;
mod shared;
mod threads;
mod tls;
mod tls_stream;
mod transfer;
mod views;
mod watch;
mod writer;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use holdpoint_core::{Decision, DecisionId, Item, Lane, Project, Status, Thread, Timestamp};
use tokio::sync::watch as signal;

pub use address::{Address, Clock};

use self::pool::Pool;
use self::shared::Shared;
use self::writer::Writer;
use crate::chain::Hash;
use crate::feed::{Feed, Listener};
use crate::plan::{BatchCache, of_decision};
use crate::vouch::{self, Identity, Vouching};
use crate::{
    Backlog, Checkpoint, Claim, Delivery, Error, EventHeader, EventQuery, Head, Inspection, LogRow, Logged,
    MessageQuery, Options, OutboxEntry, OutboxState, Outcome, Page, Query, Repair, Result, Signer, Store,
    Submission,
};

/// A store in one schema of a PostgreSQL database.
pub struct Postgres {
    shared: Arc<Shared>,
    writer: OnceLock<Writer>,
    watcher: OnceLock<watch::Watcher>,
}

/// Opens a store, creating it if necessary. The first write and the first watch start their tasks, on the runtime that
/// they are called on.
pub async fn open(address: Address, options: Options) -> Result<Postgres> {
    let pool = Pool::new(address.clone(), tls::connector(&address.trust)?);
    let connection = pool.open().await?;
    let numbering = migrate::ready(&connection, &address.schema).await?;
    pool.share(connection);
    let node = format!("{:016x}", getrandom::u64().unwrap_or_default());
    let identity = Identity { id: vouch::store_id(numbering), place: address.identity() };
    let (head, feed) = (signal::Sender::new(0), Feed::default());
    let vouching = Arc::new(Vouching::with(&options));
    let known = Arc::new(BatchCache::new(options.trip_limit));
    let shared = Shared { pool, numbering, node, options, head, feed, identity, vouching, known };
    Ok(Postgres { shared: Arc::new(shared), writer: OnceLock::new(), watcher: OnceLock::new() })
}

impl Postgres {
    fn pool(&self) -> &Pool {
        &self.shared.pool
    }

    fn watching(&self) -> Result<()> {
        let runtime = tokio::runtime::Handle::try_current()
            .map_err(|_| Error::Unavailable("there is no runtime to watch the database on".into()))?;
        self.watcher.get_or_init(|| watch::Watcher::start(&self.shared, &runtime));
        Ok(())
    }
}

#[async_trait]
impl Store for Postgres {
    async fn submit(&self, submission: Submission) -> Result<Outcome> {
        let now = submission.now;
        let writer = self.writer.get_or_init(|| Writer::start(Arc::clone(&self.shared)));
        let outcome = writer.submit(submission).await?;
        if self.shared.vouching.take_unsigned() {
            vouch::sign(self, now).await?;
        }
        Ok(outcome)
    }

    async fn submit_all(&self, submissions: Vec<Submission>) -> Result<Vec<Result<Outcome>>> {
        let Some(now) = submissions.iter().map(|submission| submission.now).max() else {
            return Ok(Vec::new());
        };
        let writer = self.writer.get_or_init(|| Writer::start(Arc::clone(&self.shared)));
        let outcomes = writer.submit_all(submissions).await;
        if self.shared.vouching.take_unsigned() {
            vouch::sign(self, now).await?;
        }
        Ok(outcomes)
    }

    async fn decision(&self, id: DecisionId) -> Result<Option<Decision>> {
        crate::history::own_row(
            id,
            decisions::by_number(self.pool(), self.shared.numbering.number(id)).await?,
        )
    }

    async fn decisions(&self, ids: &[DecisionId]) -> Result<Vec<Decision>> {
        let numbers: Vec<i64> = ids.iter().map(|id| self.shared.numbering.number(*id)).collect();
        Ok(decisions::by_numbers(self.pool(), &numbers).await?)
    }

    async fn find(&self, prefix: &str, limit: usize) -> Result<Vec<DecisionId>> {
        Ok(decisions::find(&self.shared, prefix, limit).await?)
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        Ok(decisions::prefix_lengths(&self.shared, ids).await?)
    }

    async fn list(&self, query: &Query) -> Result<Page> {
        Ok(list::list(self.pool(), query).await?)
    }

    async fn index(&self, most: usize) -> Result<u64> {
        Ok(search::index(self.pool(), most).await?)
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<Logged>> {
        Ok(events::events(&self.shared, query).await?)
    }

    async fn traces(&self, after: i64, limit: usize) -> Result<Vec<EventHeader>> {
        Ok(events::traces(&self.shared, after, limit).await?)
    }

    async fn head(&self) -> Result<Head> {
        Ok(events::head(self.pool()).await?)
    }

    async fn counts(&self, project: Option<&str>) -> Result<Vec<(Status, u64)>> {
        Ok(decisions::counts(self.pool(), project).await?)
    }

    async fn next_deadline(&self) -> Result<Option<Timestamp>> {
        Ok(decisions::next_deadline(self.pool()).await?)
    }

    async fn oldest_pending(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        Ok(decisions::oldest_pending(self.pool(), now).await?)
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
        Ok(decisions::due(&self.shared, now, limit).await?)
    }

    async fn next_escalation(&self) -> Result<Option<Timestamp>> {
        Ok(decisions::next_escalation(self.pool()).await?)
    }

    async fn escalating(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
        Ok(decisions::escalating(&self.shared, now, limit).await?)
    }

    async fn settled_before(
        &self,
        before: Timestamp,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<DecisionId>> {
        Ok(decisions::settled_before(&self.shared, before, project, limit).await?)
    }

    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        Ok(items::items(self.pool(), project).await?)
    }

    async fn thread(&self, id: &str) -> Result<Option<Thread>> {
        Ok(threads::thread(self.pool(), id).await?)
    }

    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<Thread>> {
        Ok(threads::threads(self.pool(), project, limit).await?)
    }

    async fn messages(&self, thread: &Thread, query: &MessageQuery) -> Result<Vec<Logged>> {
        Ok(threads::messages(self.pool(), thread, query).await?)
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        Ok(items::projects(self.pool()).await?)
    }

    fn watch(&self) -> Result<signal::Receiver<i64>> {
        let receiver = self.shared.head.subscribe();
        self.watching()?;
        Ok(receiver)
    }

    fn subscribe(&self, listener: Arc<dyn Listener>) -> Result<()> {
        // Earlier commits may be announced once more, by position only; a listener then reads what it knows already.
        self.shared.feed.subscribe(listener, *self.shared.head.borrow());
        self.watching()
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<OutboxEntry>> {
        Ok(outbox::claim(&self.shared, &claim).await?)
    }

    async fn deliver(&self, lease: &str, deliveries: Vec<(i64, Delivery)>) -> Result<()> {
        Ok(outbox::deliver(self.pool(), lease, deliveries).await?)
    }

    async fn outbox_entries(
        &self,
        state: OutboxState,
        lane: Option<Lane>,
        limit: usize,
    ) -> Result<Vec<OutboxEntry>> {
        Ok(outbox::entries(&self.shared, state, lane, limit).await?)
    }

    async fn backlog(&self) -> Result<Backlog> {
        Ok(outbox::backlog(self.pool()).await?)
    }

    async fn forget_keys(&self, before: Timestamp, limit: usize) -> Result<usize> {
        Ok(idempotency::forget(self.pool(), before, limit).await?)
    }

    async fn links(&self, after: i64, limit: usize) -> Result<Vec<LogRow>> {
        Ok(events::links(self.pool(), after, limit).await?)
    }

    async fn history(&self, id: DecisionId) -> Result<Vec<LogRow>> {
        Ok(events::stream(self.pool(), &of_decision(self.shared.numbering.number(id)), 0).await?)
    }

    async fn stream(&self, stream: &str, after: i64) -> Result<Vec<LogRow>> {
        Ok(events::stream(self.pool(), stream, after).await?)
    }

    async fn checkpoints(&self) -> Result<Vec<Checkpoint>> {
        Ok(checkpoints::all(self.pool()).await?)
    }

    async fn covering(&self, seq: i64, limit: usize) -> Result<Vec<Checkpoint>> {
        Ok(checkpoints::covering(self.pool(), seq, limit).await?)
    }

    async fn last_checkpoint(&self, public_key: &str) -> Result<Option<Checkpoint>> {
        Ok(checkpoints::last(self.pool(), public_key).await?)
    }

    async fn hashes(&self, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>> {
        Ok(events::hashes(self.pool(), after, limit).await?)
    }

    async fn put_checkpoint(&self, point: &Checkpoint) -> Result<()> {
        Ok(checkpoints::insert_checkpoint(&self.shared, point).await?)
    }

    async fn identity(&self) -> Result<Identity> {
        Ok(self.shared.identity.clone())
    }

    fn signer(&self) -> Option<Arc<dyn Signer>> {
        self.shared.options.signer.clone()
    }

    fn vouching(&self) -> &Vouching {
        &self.shared.vouching
    }

    async fn ready(&self) -> Result<()> {
        self.head().await?;
        Ok(events::writable(self.pool()).await?)
    }

    async fn backup(&self, _: &Path) -> Result<()> {
        let schema = &self.shared.pool.address.schema;
        Err(Error::Unsuitable(format!(
            "a store in PostgreSQL is backed up with its own tools: pg_dump --schema={schema} DATABASE"
        )))
    }

    async fn inspect(&self, repair: Repair) -> Result<Inspection> {
        Ok(inspect::inspect(&self.shared, repair).await?)
    }
}

impl Shared {
    /// Wakes the waiters, if the log has grown.
    fn saw(&self, seq: i64) {
        self.head.send_if_modified(|last| {
            let grown = seq > *last;
            *last = seq.max(*last);
            grown
        });
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("address", &self.shared.pool.address).finish_non_exhaustive()
    }
}
