//! Watches what other processes write, and wakes the waiters here.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher as _};
use rusqlite::Connection;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, utimensat};

use super::{Shared, connection, events};
use crate::Result;

/// Even a watched file is looked at this often: an event may get lost.
const SAFETY: Duration = Duration::from_secs(1);
/// How often a file is looked at that cannot be watched.
const POLL: Duration = Duration::from_millis(20);
/// A commit shows a moment after its frames are written: when to look again, in microseconds.
const AGAIN: [u64; 8] = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];

/// Events that come closer together than this are looked at together.
const BURST: Duration = Duration::from_millis(1);

/// Returns where SQLite keeps the write-ahead log of a file: beside the one that a link leads to.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut log = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    log.push("-wal");
    log.into()
}

/// Tells the watchers of the log that a commit is visible. What SQLite does last is done in shared
/// memory, which nobody can watch: without this they would have to guess when to look.
pub(super) fn touch(log: &Path) {
    let unchanged = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: unchanged, last_modification: now };
    // A process that misses this checks by itself a little later.
    let _ = utimensat(CWD, log, &times, AtFlags::empty());
}

/// The handle to the watching thread; dropping it ends the thread.
pub(super) struct Watcher {
    signals: Option<Sender<Signal>>,
    /// Never used but to be dropped: that ends even a nap.
    stays: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What can wake the watching thread.
enum Signal {
    /// The file or its log changed.
    Changed,
    /// The store is being closed.
    Closed,
}

impl Watcher {
    /// Starts the thread.
    pub(super) fn start(shared: &Arc<Shared>) -> Self {
        let (signals, queue) = channel();
        let (stays, gone) = channel();
        let path = shared.path.clone();
        let files = watch_files(path, signals.clone());
        if files.is_none() {
            tracing::debug!(
                "The folder of the store cannot be watched; looking every {} ms",
                POLL.as_millis()
            );
        }
        let weak = Arc::downgrade(shared);
        let thread = std::thread::Builder::new().name("hold-watcher".into()).spawn(move || {
            let pace = if files.is_some() { SAFETY } else { POLL };
            run(&weak, &queue, &gone, pace);
            drop(files);
        });
        Self { signals: Some(signals), stays: Some(stays), thread: thread.ok() }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.stays.take());
        if let Some(signals) = self.signals.take() {
            let _ = signals.send(Signal::Closed);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Watches the folder: the log beside the file comes and goes.
fn watch_files(path: PathBuf, signals: Sender<Signal>) -> Option<notify::RecommendedWatcher> {
    // SQLite keeps the log beside the file that a link leads to.
    let path = path.canonicalize().unwrap_or(path);
    let folder = path.parent()?.to_owned();
    let log = log_of(&path);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let ours = event.is_ok_and(|event| {
            !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(|at| *at == path || *at == log)
        });
        if ours {
            let _ = signals.send(Signal::Changed);
        }
    })
    .ok()?;
    watcher.watch(&folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}

fn run(shared: &Weak<Shared>, queue: &Receiver<Signal>, gone: &Receiver<()>, pace: Duration) {
    let mut detector = ChangeDetector::default();
    let mut again = AGAIN.iter();
    let mut wait = Duration::ZERO;
    loop {
        let signal = queue.recv_timeout(wait);
        if matches!(signal, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        for signal in signal.into_iter().chain(queue.try_iter()) {
            match signal {
                // What is seen next may be the commit before this one: look on until things are quiet.
                Signal::Changed => again = AGAIN.iter(),
                Signal::Closed => return,
            }
        }
        let Some(shared) = shared.upgrade() else { return };
        // The next reader is told what is wrong; here it is enough to check again, on a new connection.
        let _ = detector.poll(&shared);
        drop(shared);
        wait = again.next().map_or(pace, |micros| Duration::from_micros(*micros));
        if wait <= BURST {
            // While others write in a burst there is an event for every page: one look does for many.
            if gone.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            wait = Duration::ZERO;
        }
    }
}

/// A connection that sees whether others have committed.
#[derive(Default)]
struct ChangeDetector {
    connection: Option<Connection>,
    version: i64,
}

impl ChangeDetector {
    /// Looks once, and wakes the waiters if there was something new.
    fn poll(&mut self, shared: &Shared) -> Result<()> {
        let connection = self.connection.take().map_or_else(|| connection::reader(&shared.path), Ok)?;
        let version = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if version != self.version {
            let seq = events::head(&connection)?.seq;
            shared.saw(seq);
            shared.feed.saw(seq);
        }
        self.version = version;
        self.connection = Some(connection);
        Ok(())
    }
}

impl Shared {
    /// Wakes the waiters, if the log has grown.
    pub(super) fn saw(&self, seq: i64) {
        self.head.send_if_modified(|last| {
            let grown = seq > *last;
            *last = seq.max(*last);
            grown
        });
    }
}
