//! Watches the write-ahead log, which writers touch once a commit is visible. Writes to it are ignored: there is one
//! for every page, before the commit is visible.

use std::ffi::OsString;
use std::io::{PipeReader, PipeWriter};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
use rustix::io::Errno;

use super::heard::FileChange;

/// The size of the buffer for events with names.
const ROOM: usize = 4_096;

/// The write-ahead log of a store, watched through its folder, because the file is created and removed.
pub(super) struct Files {
    log: OsString,
    /// None if the folder cannot be watched.
    folder: Option<OwnedFd>,
    stays: PipeReader,
}

/// Ends all waiting when it is dropped.
pub(super) type WatchGuard = PipeWriter;

impl Files {
    /// Begins to watch a write-ahead log.
    pub(super) fn watch(log: &Path) -> std::io::Result<(Self, WatchGuard)> {
        let (stays, end) = std::io::pipe()?;
        let name = log.file_name().unwrap_or_default().to_owned();
        Ok((Self { log: name, folder: log.parent().and_then(|folder| watch(folder).ok()), stays }, end))
    }

    /// Returns whether changes are reported.
    pub(super) fn are_watched(&self) -> bool {
        self.folder.is_some()
    }

    /// Waits for a change.
    pub(super) fn wait(&mut self, longest: Duration) -> FileChange {
        let until = Instant::now() + longest;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match wait(&self.stays, self.folder.as_ref(), left) {
                FileChange::Changed if !self.is_touched() => {}
                heard => return heard,
            }
        }
    }

    /// Waits, ended early only by closing.
    pub(super) fn pause(&mut self, longest: Duration) -> FileChange {
        wait(&self.stays, None, longest)
    }

    /// Reads the events of the folder; returns whether any concerns the log.
    fn is_touched(&self) -> bool {
        let Some(folder) = &self.folder else { return false };
        let mut room = [MaybeUninit::uninit(); ROOM];
        let mut events = Reader::new(folder, &mut room);
        let mut touched = false;
        loop {
            match events.next() {
                // An event without a name is about the folder itself, or reports lost events.
                Ok(event) => {
                    touched |= event
                        .file_name()
                        .is_none_or(|name| name.to_bytes() == self.log.as_os_str().as_bytes());
                }
                Err(Errno::INTR) => {}
                Err(_) => return touched,
            }
        }
    }
}

fn watch(folder: &Path) -> rustix::io::Result<OwnedFd> {
    let watch = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
    inotify::add_watch(&watch, folder, WatchFlags::ATTRIB)?;
    Ok(watch)
}

fn wait(stays: &PipeReader, folder: Option<&OwnedFd>, longest: Duration) -> FileChange {
    let longest = Timespec::try_from(longest).ok();
    let mut all = vec![PollFd::new(stays, PollFlags::IN)];
    all.extend(folder.map(|folder| PollFd::new(folder, PollFlags::IN)));
    match poll(&mut all, longest.as_ref()) {
        Ok(0) | Err(Errno::INTR) => FileChange::Nothing,
        Ok(_) if all[0].revents().is_empty() => FileChange::Changed,
        Ok(_) | Err(_) => FileChange::Closed,
    }
}
