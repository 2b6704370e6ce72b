//! Watches the store and its write-ahead log where there is no inotify.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher as _};

use super::heard::FileChange;

/// The write-ahead log of a store, watched through its folder, because the file is created and removed.
pub(super) struct Files {
    /// None if the folder cannot be watched.
    folder: Option<notify::RecommendedWatcher>,
    changes: Receiver<()>,
    /// Keeps the channel open if nothing is watched.
    _changes: Sender<()>,
    stays: Receiver<()>,
}

/// Ends all waiting when it is dropped.
pub(super) struct WatchGuard {
    end: Option<Sender<()>>,
    changes: Sender<()>,
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        drop(self.end.take());
        let _ = self.changes.send(());
    }
}

impl Files {
    /// Begins to watch a write-ahead log.
    pub(super) fn watch(log: &Path) -> std::io::Result<(Self, WatchGuard)> {
        let (sender, changes) = channel();
        let (end, stays) = channel();
        let folder = watch(log, sender.clone());
        let stays_open = WatchGuard { end: Some(end), changes: sender.clone() };
        Ok((Self { folder, changes, _changes: sender, stays }, stays_open))
    }

    /// Returns whether changes are reported.
    pub(super) fn are_watched(&self) -> bool {
        self.folder.is_some()
    }

    /// Waits for a change.
    pub(super) fn wait(&mut self, longest: Duration) -> FileChange {
        let heard = self.changes.recv_timeout(longest);
        self.changes.try_iter().for_each(drop);
        match self.pause(Duration::ZERO) {
            FileChange::Closed => FileChange::Closed,
            _ if heard.is_ok() => FileChange::Changed,
            _ => FileChange::Nothing,
        }
    }

    /// Waits, ended early only by closing.
    pub(super) fn pause(&mut self, longest: Duration) -> FileChange {
        match self.stays.recv_timeout(longest) {
            Err(RecvTimeoutError::Timeout) => FileChange::Nothing,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => FileChange::Closed,
        }
    }
}

fn watch(log: &Path, changes: Sender<()>) -> Option<notify::RecommendedWatcher> {
    let (folder, log) = (log.parent()?.to_owned(), log.to_owned());
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let is_ours =
            |event: notify::Event| !matches!(event.kind, EventKind::Access(_)) && event.paths.contains(&log);
        if event.is_ok_and(is_ours) {
            let _ = changes.send(());
        }
    })
    .ok()?;
    watcher.watch(&folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}
