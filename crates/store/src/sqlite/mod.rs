//! The embedded store: one SQLite file that several processes may open.
//!
//! Reads run where they are called, on a small pool of connections; writes go through one thread that commits whatever
//! has queued up. Between transactions only prepared statements are kept, and state that is checked before it is used
//! again.

mod backfill;
mod backup;
mod channels;
mod checkpoints;
mod commit;
mod connection;
mod credentials;
mod decisions;
mod events;
mod fault;
mod file;
mod idempotency;
mod immutable;
mod inspect;
mod items;
mod jobs;
mod list;
mod listed;
mod load;
mod migrate;
mod outbox;
mod pool;
mod port;
mod presence;
mod push;
mod replay;
mod runs;
mod save;
mod search;
mod shared;
mod suitable;
mod threads;
mod transfer;
mod views;
mod watch;
mod writer;

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use holdpoint_core::{Decision, DecisionId, Item, Lane, Project, Status, Thread, Timestamp};
use rusqlite::Connection;
use tokio::sync::watch as signal;

use self::commit::Durability;
use self::file::StoreFile;
use self::listed::Listed;
use self::pool::{Pool, Reader};
use self::shared::Shared;
use self::writer::Writer;
use crate::chain::Hash;
use crate::feed::{Feed, Listener};
use crate::plan::{BatchCache, of_decision};
use crate::vouch::{self, Identity, Vouching};
use crate::{
    Backlog, Checkpoint, Claim, Delivery, Error, EventHeader, EventQuery, Head, Inspection, LogRow, Logged,
    MessageQuery, OutboxEntry, OutboxState, Outcome, Page, Query, Repair, Result, Signer, Store, Submission,
};

pub use self::migrate::{known as known_schema, version_of as schema_of};
pub use crate::Options;

/// A store in one SQLite file.
pub struct Sqlite {
    shared: Arc<Shared>,
    writer: OnceLock<Writer>,
    watcher: OnceLock<watch::Watcher>,
}

/// Opens a store, creating it if necessary. Starts no thread: the first write and the first watch do.
pub fn open(path: &Path, options: Options) -> Result<Sqlite> {
    let path = std::path::absolute(path).map_err(|why| fault::cannot(&why, "find", path))?;
    if path.exists() {
        suitable::check(&path)?;
        presence::check_emptied(&path)?;
    } else {
        connection::create(&path)?;
    }
    let file = Arc::new(StoreFile::at(&path));
    let pool = Pool::new(Arc::clone(&file), pool::reader(&file)?);
    let (head, feed) = (signal::Sender::new(0), Feed::default());
    let (full, log_lost, watched) = <(AtomicBool, AtomicBool, AtomicBool)>::default();
    let vouching = Arc::new(Vouching::with(&options));
    let known = Arc::new(BatchCache::new(options.trip_limit));
    // The canonical path, because the signer's memory of a place must not depend on its spelling.
    let place = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone()).display().to_string();
    let listed = Listed::default();
    let shared =
        Shared { file, place, options, pool, head, feed, full, log_lost, watched, vouching, known, listed };
    Ok(Sqlite { shared: Arc::new(shared), writer: OnceLock::new(), watcher: OnceLock::new() })
}

impl Sqlite {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.shared.file.path()
    }

    fn read<T>(&self, read: impl Fn(&Reader) -> Result<T>) -> Result<T> {
        self.shared.pool.with(read)
    }

    /// Runs a read that may take long, off the async threads.
    async fn scan<T: Send + 'static>(
        &self,
        read: impl Fn(&Reader) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let shared = Arc::clone(&self.shared);
        let done = tokio::task::spawn_blocking(move || shared.pool.with(read)).await;
        done.map_err(|why| Error::Unavailable(why.to_string()))?
    }

    fn writer(&self) -> &Writer {
        self.writer.get_or_init(|| Writer::start(Arc::clone(&self.shared)))
    }
}

#[async_trait]
impl Store for Sqlite {
    async fn submit(&self, submission: Submission) -> Result<Outcome> {
        // Copying the outcome, if needed, happens here and not on the writing thread.
        let (decided, submission) = self.writer().submit(submission).await?;
        if self.shared.vouching.take_unsigned() {
            vouch::sign(self, submission.now).await?;
        }
        Ok(Outcome::from(decided))
    }

    async fn submit_all(&self, submissions: Vec<Submission>) -> Result<Vec<Result<Outcome>>> {
        let Some(now) = submissions.iter().map(|submission| submission.now).max() else {
            return Ok(Vec::new());
        };
        let done = self.writer().submit_all(submissions).await;
        let outcomes = done.into_iter().map(|one| one.map(|(decided, _)| Outcome::from(decided))).collect();
        if self.shared.vouching.take_unsigned() {
            vouch::sign(self, now).await?;
        }
        Ok(outcomes)
    }

    async fn decision(&self, id: DecisionId) -> Result<Option<Decision>> {
        let found =
            self.read(|reader| decisions::by_number(&reader.connection, reader.numbering.number(id)))?;
        crate::history::own_row(id, found)
    }

    async fn decisions(&self, ids: &[DecisionId]) -> Result<Vec<Decision>> {
        self.read(|reader| {
            let read = |id: &DecisionId| {
                decisions::by_number(&reader.connection, reader.numbering.number(*id)).transpose()
            };
            ids.iter().filter_map(read).collect()
        })
    }

    async fn find(&self, prefix: &str, limit: usize) -> Result<Vec<DecisionId>> {
        let prefix = prefix.to_owned();
        if prefix.len() == decisions::WHOLE {
            return self.read(|reader| decisions::find(reader, &prefix, limit));
        }
        self.scan(move |reader| decisions::find(reader, &prefix, limit)).await
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids = ids.to_vec();
        self.scan(move |reader| decisions::prefix_lengths(reader, &ids)).await
    }

    async fn list(&self, query: &Query) -> Result<Page> {
        list::page(self, query).await
    }

    async fn index(&self, most: usize) -> Result<u64> {
        // Most calls find nothing, and then no lock is needed.
        let left = self.read(|reader| search::left(&reader.connection))?;
        if left == 0 || most == 0 {
            return Ok(left);
        }
        self.writer().run(move |connection, _| search::index(connection, most)).await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<Logged>> {
        self.read(|reader| events::events(reader, query))
    }

    async fn traces(&self, after: i64, limit: usize) -> Result<Vec<EventHeader>> {
        self.read(|reader| events::traces(reader, after, limit))
    }

    async fn head(&self) -> Result<Head> {
        self.read(|reader| events::head(&reader.connection))
    }

    async fn counts(&self, project: Option<&str>) -> Result<Vec<(Status, u64)>> {
        self.read(|reader| decisions::counts(&reader.connection, project))
    }

    async fn next_deadline(&self) -> Result<Option<Timestamp>> {
        self.read(|reader| decisions::next_deadline(&reader.connection))
    }

    async fn oldest_pending(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        self.read(|reader| decisions::oldest_pending(&reader.connection, now))
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
        self.read(|reader| decisions::due(reader, now, limit))
    }

    async fn next_escalation(&self) -> Result<Option<Timestamp>> {
        self.read(|reader| decisions::next_escalation(&reader.connection))
    }

    async fn escalating(&self, now: Timestamp, limit: usize) -> Result<Vec<DecisionId>> {
        self.read(|reader| decisions::escalating(reader, now, limit))
    }

    async fn settled_before(
        &self,
        before: Timestamp,
        project: Option<&str>,
        limit: usize,
    ) -> Result<Vec<DecisionId>> {
        self.read(|reader| decisions::settled_before(reader, before, project, limit))
    }

    async fn items(&self, project: Option<&str>) -> Result<Vec<Item>> {
        self.read(|reader| items::items(&reader.connection, project))
    }

    async fn thread(&self, id: &str) -> Result<Option<Thread>> {
        self.read(|reader| threads::thread(&reader.connection, id))
    }

    async fn threads(&self, project: Option<&str>, limit: usize) -> Result<Vec<Thread>> {
        self.read(|reader| threads::threads(&reader.connection, project, limit))
    }

    async fn messages(&self, thread: &Thread, query: &MessageQuery) -> Result<Vec<Logged>> {
        self.read(|reader| threads::messages(&reader.connection, thread, query))
    }

    async fn projects(&self) -> Result<Vec<Project>> {
        self.read(|reader| items::projects(&reader.connection))
    }

    fn watch(&self) -> Result<signal::Receiver<i64>> {
        let receiver = self.shared.head.subscribe();
        let seq = self.read(|reader| events::head(&reader.connection))?.seq;
        self.shared.saw(seq);
        self.watcher.get_or_init(|| watch::Watcher::start(&self.shared));
        Ok(receiver)
    }

    fn subscribe(&self, listener: Arc<dyn Listener>) -> Result<()> {
        let seq = self.read(|reader| events::head(&reader.connection))?.seq;
        self.shared.feed.subscribe(listener, seq);
        self.watcher.get_or_init(|| watch::Watcher::start(&self.shared));
        Ok(())
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<OutboxEntry>> {
        // Most calls find nothing, and then no lock is needed.
        let found = self.read(|reader| outbox::find(&reader.connection, &claim))?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        // A row whose lease is lost in a power cut is claimed again, as is one whose holder is killed.
        let lease = move |tx: &Connection, numbering| outbox::lease(tx, numbering, &claim, &found);
        self.writer().write_short(Durability::Unsynced, lease).await
    }

    async fn deliver(&self, lease: &str, deliveries: Vec<(i64, Delivery)>) -> Result<()> {
        let lease = lease.to_owned();
        self.writer().write(move |tx, _| outbox::deliver(tx, &lease, &deliveries)).await
    }

    async fn outbox_entries(
        &self,
        state: OutboxState,
        lane: Option<Lane>,
        limit: usize,
    ) -> Result<Vec<OutboxEntry>> {
        self.read(|reader| outbox::entries(reader, state, lane, limit))
    }

    async fn backlog(&self) -> Result<Backlog> {
        self.read(|reader| outbox::backlog(&reader.connection))
    }

    async fn forget_keys(&self, before: Timestamp, limit: usize) -> Result<usize> {
        if self.read(|reader| idempotency::are_young(&reader.connection, before))? {
            return Ok(0);
        }
        self.writer().write(move |tx, _| idempotency::forget(tx, before, limit)).await
    }

    async fn links(&self, after: i64, limit: usize) -> Result<Vec<LogRow>> {
        self.scan(move |reader| events::links(&reader.connection, after, limit)).await
    }

    async fn history(&self, id: DecisionId) -> Result<Vec<LogRow>> {
        self.read(|reader| events::stream(&reader.connection, &of_decision(reader.numbering.number(id)), 0))
    }

    async fn stream(&self, stream: &str, after: i64) -> Result<Vec<LogRow>> {
        self.read(|reader| events::stream(&reader.connection, stream, after))
    }

    async fn checkpoints(&self) -> Result<Vec<Checkpoint>> {
        self.scan(|reader| checkpoints::all(&reader.connection)).await
    }

    async fn covering(&self, seq: i64, limit: usize) -> Result<Vec<Checkpoint>> {
        self.read(|reader| checkpoints::covering(&reader.connection, seq, limit))
    }

    async fn last_checkpoint(&self, public_key: &str) -> Result<Option<Checkpoint>> {
        self.read(|reader| checkpoints::last(&reader.connection, public_key))
    }

    async fn hashes(&self, after: i64, limit: usize) -> Result<Vec<(i64, Hash)>> {
        self.read(|reader| events::hashes(&reader.connection, after, limit))
    }

    async fn put_checkpoint(&self, point: &Checkpoint) -> Result<()> {
        self.writer().put_checkpoint(point.clone()).await
    }

    async fn identity(&self) -> Result<Identity> {
        self.read(|reader| Ok(commit::identity(&self.shared.place, reader.numbering)))
    }

    fn signer(&self) -> Option<Arc<dyn Signer>> {
        self.shared.options.signer.clone()
    }

    fn vouching(&self) -> &Vouching {
        &self.shared.vouching
    }

    async fn ready(&self) -> Result<()> {
        self.read(|reader| events::head(&reader.connection))?;
        let shared = Arc::clone(&self.shared);
        let looked = tokio::task::spawn_blocking(move || shared.ready());
        looked.await.map_err(|why| Error::Unavailable(why.to_string()))?
    }

    async fn backup(&self, to: &Path) -> Result<()> {
        let (from, to) = (Arc::clone(&self.shared.file), to.to_owned());
        let done = tokio::task::spawn_blocking(move || backup::backup(&from, &to)).await;
        done.map_err(|why| Error::Unavailable(why.to_string()))?
    }

    async fn inspect(&self, repair: Repair) -> Result<Inspection> {
        match repair {
            Repair::No => self.scan(|reader| inspect::inspect(&reader.connection, reader.numbering)).await,
            Repair::Rebuild => self.writer().rebuild().await,
        }
    }
}

impl Drop for Sqlite {
    /// Closes the writer's connection last, because the last connection to close may checkpoint the log.
    fn drop(&mut self) {
        drop(self.watcher.take());
        self.shared.pool.clear();
        drop(self.writer.take());
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("path", &self.path()).finish_non_exhaustive()
    }
}
