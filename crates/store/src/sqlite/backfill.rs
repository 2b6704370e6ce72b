//! Checkpoints the write-ahead log into the file, beside the writer, so that commits do not wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::connection;
use super::file::StoreFile;
use crate::Result;

/// From how many pages the log is checkpointed in the background.
const LONG: i32 = 1_000;
/// From how many pages the writer itself helps: under steady load the background never quite catches up, and the log
/// starts over only once all of it is checkpointed.
const TOO_LONG: i32 = 10_000;

/// From how many pages the last connection checkpoints the log on closing. The next process to open the file has to
/// read the rest of the log, which for a few pages costs less than syncing twice.
const WORTH_CLOSING: i32 = 128;

/// The length of the log, and the thread that shortens it, which starts when it is first needed.
pub(super) struct Backfill {
    file: Arc<StoreFile>,
    pages: Arc<AtomicI32>,
    /// Whether erased content is still in the log.
    forgets: bool,
    nudge: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Backfill {
    pub(super) fn new(file: Arc<StoreFile>) -> Self {
        Self { file, pages: Arc::default(), forgets: false, nudge: None, thread: None }
    }

    /// Makes a writing connection report the length of the log after each commit, instead of checkpointing it by
    /// itself.
    pub(super) fn attach(&self, connection: &mut Connection) -> Result<()> {
        let pages = Arc::clone(&self.pages);
        connection.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, length: i32| {
            pages.store(length, Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(())
    }

    /// Records that something was erased, which must not remain in the log.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Returns whether the work after a commit will take long.
    pub(super) fn takes_long(&self) -> bool {
        self.forgets || self.pages.load(Ordering::Relaxed) >= TOO_LONG
    }

    /// Shortens the log after a commit, if needed.
    pub(super) fn after_commit(&mut self, connection: &Connection) {
        if self.forgets {
            // A connection that still reads the old log prevents this; then the next commit tries again.
            self.forgets = !empty(connection);
        }
        let pages = self.pages.load(Ordering::Relaxed);
        if pages >= TOO_LONG {
            // This may fail because of a reader; the next commit tries again.
            let _ = move_back(connection);
        } else if pages >= LONG {
            self.start();
            // If a nudge is pending already, that is enough.
            let _ = self.nudge.as_ref().map(|nudge| nudge.try_send(()));
        }
    }

    /// Lets SQLite checkpoint the log on closing, if it has grown; SQLite does so only if no other connection is open.
    pub(super) fn before_close(&self, connection: &Connection) {
        if self.pages.load(Ordering::Relaxed) >= WORTH_CLOSING {
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        }
    }

    fn start(&mut self) {
        if self.nudge.is_some() {
            return;
        }
        let (nudge, nudges) = sync_channel(1);
        let file = Arc::clone(&self.file);
        let thread = std::thread::Builder::new().name("hold-backfill".into()).spawn(move || {
            let Ok(connection) = connection::backfiller(&file) else { return };
            while nudges.recv().is_ok() {
                // Not if another file was put in its place.
                if file.check().is_ok() {
                    let _ = move_back(&connection);
                }
            }
        });
        self.thread = thread.ok();
        self.nudge = Some(nudge);
    }
}

impl Drop for Backfill {
    fn drop(&mut self) {
        drop(self.nudge.take());
        // A process that writes once and exits must still do its share.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn move_back(connection: &Connection) -> rusqlite::Result<()> {
    connection.prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")?.query_row([], |_| Ok(()))
}

/// Checkpoints as much of the log as possible, because its file was removed.
pub(super) fn rescue(connection: &Connection) {
    /// The background thread may be checkpointing, and finishes that first.
    const TRIES: usize = 20;
    const PAUSE: Duration = Duration::from_millis(50);
    let is_empty = (0..TRIES).any(|at| {
        if at > 0 {
            std::thread::sleep(PAUSE);
        }
        empty(connection)
    });
    if !is_empty && let Err(error) = move_back(connection) {
        tracing::error!("What was committed last could not be moved into the store: {error}");
    }
}

/// Checkpoints all of the log and empties it; returns false if a reader still uses it.
fn empty(connection: &Connection) -> bool {
    /// Short, because writers wait meanwhile.
    const TIMEOUT: Duration = Duration::from_millis(100);
    let emptied = connection.busy_timeout(TIMEOUT).and_then(|()| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    });
    let _ = connection.busy_timeout(connection::TIMEOUT);
    emptied.is_ok_and(|busy| busy == 0)
}
