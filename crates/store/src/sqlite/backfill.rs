//! Moves the write-ahead log back into the file, beside the writer: nobody's commit waits for it.

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

/// From how many pages on the log is moved back, in the background.
const LONG: i32 = 1_000;
/// From how many pages on the writer itself helps: under steady load the background never quite catches up, and
/// the log starts over only once all of it is moved.
const TOO_LONG: i32 = 10_000;

/// From how many pages on the last to close moves the log back: the next process to open the file must read through
/// what is left of it, and for a few pages that costs less than syncing twice.
const WORTH_CLOSING: i32 = 128;

/// The length of the log, and the thread that shortens it; the thread starts when it is first needed.
pub(super) struct Backfill {
    file: Arc<StoreFile>,
    pages: Arc<AtomicI32>,
    /// Whether something was erased that still stands in the log.
    forgets: bool,
    nudge: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Backfill {
    pub(super) fn new(file: Arc<StoreFile>) -> Self {
        Self { file, pages: Arc::default(), forgets: false, nudge: None, thread: None }
    }

    /// Has a writing connection say how long the log is after each commit, instead of shortening it by itself.
    pub(super) fn attach(&self, connection: &mut Connection) -> Result<()> {
        let pages = Arc::clone(&self.pages);
        connection.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, length: i32| {
            pages.store(length, Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(())
    }

    /// Notes that something was erased: it must not live on in the log.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Returns whether what is to be done after a commit takes long.
    pub(super) fn takes_long(&self) -> bool {
        self.forgets || self.pages.load(Ordering::Relaxed) >= TOO_LONG
    }

    /// Sees to the log after a commit.
    pub(super) fn after_commit(&mut self, connection: &Connection) {
        if self.forgets {
            // A connection that still reads the old log keeps it; then the next commit tries again.
            self.forgets = !empty(connection);
        }
        let pages = self.pages.load(Ordering::Relaxed);
        if pages >= TOO_LONG {
            // It may fail because someone reads; there is a next time.
            let _ = move_back(connection);
        } else if pages >= LONG {
            self.start();
            // If a nudge waits already, one is enough.
            let _ = self.nudge.as_ref().map(|nudge| nudge.try_send(()));
        }
    }

    /// Lets SQLite move the log back on closing, if it has grown and nobody else has the file open.
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
                // Not into what was put in its place.
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
        // A process that writes once and goes must still do its share.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn move_back(connection: &Connection) -> rusqlite::Result<()> {
    connection.prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")?.query_row([], |_| Ok(()))
}

/// Moves back as much of the log as can be, because its file has no name any more.
pub(super) fn rescue(connection: &Connection) {
    /// The background may be at it, and does not wait to be asked to stop.
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

/// Moves all of the log back and empties it; false while someone still reads from it.
fn empty(connection: &Connection) -> bool {
    /// Writers wait meanwhile, so this is short.
    const TIMEOUT: Duration = Duration::from_millis(100);
    let emptied = connection.busy_timeout(TIMEOUT).and_then(|()| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    });
    let _ = connection.busy_timeout(connection::TIMEOUT);
    emptied.is_ok_and(|busy| busy == 0)
}
