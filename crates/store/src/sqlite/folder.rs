//! Tells when files of a folder change, on whatever the system has for that. A change may be told more than once.

use std::ffi::OsString;
use std::path::Path;

#[cfg(target_os = "linux")]
pub(super) use linux::FolderWatch;
#[cfg(not(target_os = "linux"))]
pub(super) use other::FolderWatch;

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{PipeWriter, pipe};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;
    use std::thread::JoinHandle;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
    use rustix::io::Errno;

    use super::{OsString, Path};

    /// What is watched for: reading a file changes nothing.
    const CHANGES: WatchFlags = WatchFlags::ATTRIB
        .union(WatchFlags::MODIFY)
        .union(WatchFlags::CREATE)
        .union(WatchFlags::DELETE)
        .union(WatchFlags::MOVE);

    /// A thread that waits for changes; dropping this ends it.
    pub(in crate::sqlite) struct FolderWatch {
        /// Closed to end the thread.
        stays: Option<PipeWriter>,
        thread: Option<JoinHandle<()>>,
    }

    impl FolderWatch {
        /// Calls `changed` whenever one of these files changes; nothing where the folder cannot be watched.
        pub(in crate::sqlite) fn start(
            folder: &Path,
            names: Vec<OsString>,
            changed: impl Fn() + Send + 'static,
        ) -> Option<Self> {
            let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
            add_watch(&inotify, folder, CHANGES).ok()?;
            let (gone, stays) = pipe().ok()?;
            let run = move || watch(&inotify, &gone.into(), &names, &changed);
            let thread = std::thread::Builder::new().name("hold-files".into()).spawn(run).ok()?;
            Some(Self { stays: Some(stays), thread: Some(thread) })
        }
    }

    impl Drop for FolderWatch {
        fn drop(&mut self) {
            drop(self.stays.take());
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }

    fn watch(inotify: &OwnedFd, gone: &OwnedFd, names: &[OsString], changed: &impl Fn()) {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        loop {
            let mut ready = [PollFd::new(inotify, PollFlags::IN), PollFd::new(gone, PollFlags::IN)];
            match poll(&mut ready, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return,
            }
            if !ready[1].revents().is_empty() {
                return;
            }
            let mut events = Reader::new(inotify, &mut buffer);
            let mut is_ours = false;
            // Read until there is nothing more.
            while let Ok(event) = events.next() {
                let name = event.file_name().map(std::ffi::CStr::to_bytes);
                // An event without a name is about the folder, or says that some were lost.
                is_ours |= name.is_none_or(|name| names.iter().any(|ours| ours.as_bytes() == name));
            }
            if is_ours {
                changed();
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

    use super::{OsString, Path};

    /// A watcher; dropping it ends it.
    pub(in crate::sqlite) struct FolderWatch {
        _watcher: RecommendedWatcher,
    }

    impl FolderWatch {
        /// Calls `changed` whenever one of these files changes; nothing where the folder cannot be watched.
        pub(in crate::sqlite) fn start(
            folder: &Path,
            names: Vec<OsString>,
            changed: impl Fn() + Send + 'static,
        ) -> Option<Self> {
            let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let is_ours = event.is_ok_and(|event| {
                    let mut found = event.paths.iter().filter_map(|path| path.file_name());
                    !matches!(event.kind, EventKind::Access(_))
                        && found.any(|name| names.iter().any(|ours| ours == name))
                });
                if is_ours {
                    changed();
                }
            })
            .ok()?;
            watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
            Some(Self { _watcher: watcher })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    use super::*;

    #[test]
    fn changes_of_its_own_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let (told, changes) = channel();
        let watch = FolderWatch::start(folder.path(), vec!["ours".into(), "ours-wal".into()], move || {
            let _ = told.send(());
        });
        std::fs::write(folder.path().join("another"), "1").unwrap();
        std::fs::write(folder.path().join("ours-wal"), "1").unwrap();
        changes.recv_timeout(Duration::from_secs(10)).unwrap();
        // What is told about one change may come in parts; after it, another file's change is not told.
        while changes.recv_timeout(Duration::from_millis(100)).is_ok() {}
        std::fs::write(folder.path().join("another"), "2").unwrap();
        assert_eq!(changes.recv_timeout(Duration::from_millis(100)), Err(RecvTimeoutError::Timeout));
        std::fs::remove_file(folder.path().join("ours-wal")).unwrap();
        changes.recv_timeout(Duration::from_secs(10)).unwrap();
        drop(watch);
        assert_eq!(changes.recv(), Err(std::sync::mpsc::RecvError));
    }

    #[test]
    fn a_folder_that_is_not_there_is_not_watched() {
        assert!(FolderWatch::start(Path::new("/nowhere/at/all"), Vec::new(), || {}).is_none());
    }
}
