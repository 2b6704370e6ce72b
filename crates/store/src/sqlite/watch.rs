//! Watches what other processes write, and wakes the waiters here.

#[cfg(target_os = "linux")]
mod inotify;
#[cfg(not(target_os = "linux"))]
mod kqueue;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, utimensat};

#[cfg(target_os = "linux")]
use self::inotify::{Files, Stays};
#[cfg(not(target_os = "linux"))]
use self::kqueue::{Files, Stays};
use super::connection::Opened;
use super::immutable::Immutable;
use super::{Shared, connection, events, presence};
use crate::Result;

/// Even a watched file is looked at this often: a writer may be killed before it tells of its commit, and one that is not
/// ours tells nobody.
const SAFETY: Duration = Duration::from_secs(1);
/// How often a file is looked at that cannot be watched.
const POLL: Duration = Duration::from_millis(20);
/// Commits that come closer together than this are looked at together.
const BURST: Duration = Duration::from_micros(500);

/// How many watch stores in this process.
static WATCHING: AtomicUsize = AtomicUsize::new(0);

/// Tells those who watch the log that a commit is visible. What SQLite does last is done in shared memory, which nobody
/// can watch: without this they would have to guess when to look.
pub(super) fn touch(shared: &Shared, log: &Path) {
    // Who begins to watch after this sees the commit when it first looks.
    let watches = usize::from(shared.watched.load(Ordering::Relaxed));
    if WATCHING.load(Ordering::SeqCst) <= watches && presence::is_alone(shared.file.path()) {
        return;
    }
    let unchanged = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: unchanged, last_modification: now };
    // A process that misses this checks by itself a little later.
    let _ = utimensat(CWD, log, &times, AtFlags::empty());
}

/// The handle to the watching thread; dropping it ends the thread.
pub(super) struct Watcher {
    /// Never used but to be dropped: that ends the thread, whatever it waits for.
    stays: Option<Stays>,
    thread: Option<JoinHandle<()>>,
}

/// What a look at the files came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    /// A commit may have become visible.
    Changed,
    /// Nothing, for as long as was to be waited.
    Nothing,
    /// The store is being closed.
    Closed,
}

impl Watcher {
    /// Starts the thread.
    pub(super) fn start(shared: &Arc<Shared>) -> Self {
        // Before the first look: see `touch`.
        WATCHING.fetch_add(1, Ordering::SeqCst);
        shared.watched.store(true, Ordering::Relaxed);
        let Ok((mut files, stays)) = Files::watch(&presence::log_of(shared.file.path())) else {
            return Self { stays: None, thread: None };
        };
        let pace = if files.are_watched() { SAFETY } else { POLL };
        if pace == POLL {
            tracing::debug!("The folder of the store cannot be watched; looking every {POLL:?}");
        }
        let weak = Arc::downgrade(shared);
        let thread = std::thread::Builder::new()
            .name("hold-watcher".into())
            .spawn(move || run(&weak, &mut files, pace));
        Self { stays: Some(stays), thread: thread.ok() }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.stays.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        WATCHING.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run(shared: &Weak<Shared>, files: &mut Files, pace: Duration) {
    let mut detector = ChangeDetector::default();
    let mut heard = Heard::Nothing;
    while heard != Heard::Closed {
        let Some(shared) = shared.upgrade() else { return };
        // The next reader is told what is wrong; here it is enough to check again, on a new connection.
        let _ = detector.poll(&shared);
        drop(shared);
        // While others write in a burst, one look does for many.
        if heard == Heard::Changed && files.pause(BURST) == Heard::Closed {
            return;
        }
        heard = files.wait(pace);
    }
}

/// A connection that sees whether others have committed.
#[derive(Default)]
struct ChangeDetector {
    opened: Option<Opened>,
    version: Option<i64>,
}

impl ChangeDetector {
    /// Looks once, and wakes the waiters if there was something new.
    fn poll(&mut self, shared: &Shared) -> Result<()> {
        let version = |connection: &Connection| {
            Ok(connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?)
        };
        let is_current = |immutable: &Option<Immutable>| {
            immutable.is_none_or(|immutable| immutable.is_current(shared.file.path()))
        };
        let kept = self.opened.take().filter(|(_, immutable)| is_current(immutable));
        let (opened, version) = if let Some(opened) = kept {
            let version = version(&opened.0)?;
            (opened, version)
        } else {
            // Of another connection, it says nothing.
            self.version = None;
            connection::reader(&shared.file, version)?
        };
        if self.version != Some(version) {
            let seq = events::head(&opened.0)?.seq;
            shared.saw(seq);
            shared.feed.saw(seq);
        }
        self.version = Some(version);
        self.opened = Some(opened);
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
