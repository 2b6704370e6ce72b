//! Watches for commits of other processes, and wakes the waiters here.

mod heard;
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
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};

use self::heard::FileChange;
#[cfg(target_os = "linux")]
use self::inotify::{Files, WatchGuard};
#[cfg(not(target_os = "linux"))]
use self::kqueue::{Files, WatchGuard};
use super::connection::ReadConnection;
use super::immutable::Immutable;
use super::shared::Shared;
use super::{connection, events, presence};
use crate::Result;

/// Even a watched file is checked this often: a writer may be killed before it touches the log, and writers other than
/// this program never touch it.
const SAFETY: Duration = Duration::from_secs(1);
/// How often a file that cannot be watched is checked.
const POLL: Duration = Duration::from_millis(20);
/// Commits within this time of each other are handled together.
const BURST: Duration = Duration::from_micros(500);

/// The number of watchers in this process.
static WATCHING: AtomicUsize = AtomicUsize::new(0);

/// Notifies watchers of the log that a commit is visible. SQLite's last step of a commit is in shared memory, which
/// cannot be watched: without this, watchers would have to guess when to check.
pub(super) fn touch(shared: &Shared, log: &Path) {
    // A process that starts watching after this sees the commit at its first check.
    let watches = usize::from(shared.watched.load(Ordering::Relaxed));
    if WATCHING.load(Ordering::SeqCst) <= watches && presence::is_alone(shared.file.path()) {
        return;
    }
    // A process that misses this checks by itself a little later.
    let _ = set_times(log);
}

/// Sets both times of a file. Linux reports a change of only one as a read or a write, which watchers do not listen
/// for.
fn set_times(file: &Path) -> rustix::io::Result<()> {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    utimensat(CWD, file, &Timestamps { last_access: now, last_modification: now }, AtFlags::empty())
}

/// The handle to the watching thread; dropping it ends the thread.
pub(super) struct Watcher {
    /// Never used but to be dropped: that ends the thread, whatever it waits for.
    stays: Option<WatchGuard>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts the thread.
    pub(super) fn start(shared: &Arc<Shared>) -> Self {
        // Before the first check: see `touch`.
        WATCHING.fetch_add(1, Ordering::SeqCst);
        shared.watched.store(true, Ordering::Relaxed);
        let Ok((mut files, stays)) = Files::watch(&presence::log_of(shared.file.path())) else {
            return Self { stays: None, thread: None };
        };
        let pace = if files.are_watched() { SAFETY } else { POLL };
        if pace == POLL {
            tracing::debug!("The folder of the store cannot be watched; polling every {POLL:?}");
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
    let mut heard = FileChange::Nothing;
    while heard != FileChange::Closed {
        let Some(shared) = shared.upgrade() else { return };
        // An error is left to the next reader; the next check uses a new connection.
        let _ = detector.poll(&shared);
        drop(shared);
        // During a burst of commits, one check covers many.
        if heard == FileChange::Changed && files.pause(BURST) == FileChange::Closed {
            return;
        }
        heard = files.wait(pace);
    }
}

/// Detects commits of other connections.
#[derive(Default)]
struct ChangeDetector {
    opened: Option<ReadConnection>,
    version: Option<i64>,
}

impl ChangeDetector {
    /// Checks once, and wakes the waiters if there was a commit.
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
            // The version is meaningless for another connection.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_touched_log_is_heard_of_and_a_written_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("hold.db-wal");
        std::fs::write(&log, "").unwrap();
        let (mut files, _stays) = Files::watch(&log).unwrap();
        assert!(files.are_watched());
        set_times(&log).unwrap();
        assert_eq!(files.wait(Duration::from_secs(60)), FileChange::Changed);
        if cfg!(target_os = "linux") {
            std::fs::write(&log, "a page").unwrap();
            assert_eq!(files.wait(Duration::ZERO), FileChange::Nothing);
        }
    }
}
