//! Allows one gate of a job at a time, even after the process that ran it was killed.
//!
//! A gate's command outlives a killed supervisor, and the next one runs the gate again. So the command has a locked
//! file as its standard input, as empty as `/dev/null`: the lock lasts as long as the command or anything that it
//! started has the file open, and these processes can be found by it.

use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::gate::LONGEST;
use crate::error::{Error, Result};
use crate::home::Home;

/// How often to check whether the remaining processes have ended.
const PAUSE: Duration = Duration::from_millis(20);

/// The right to run the only gate of a job; it ends when the value is dropped and everything started under it has
/// ended.
#[derive(Debug)]
pub(super) struct GateLock {
    lock: File,
    path: PathBuf,
}

impl GateLock {
    /// Ends what a killed supervisor left running for a job, waits until it is gone, and locks out other gates.
    pub(super) async fn of(home: &Home, job: &str) -> Result<Self> {
        let folder = home.path().join("gates");
        Home::make_private(&folder)?;
        let path = folder.join(job);
        let give_up = Instant::now() + LONGEST;
        loop {
            if !path.exists() {
                Home::write_private_once(&path, b"")?;
            }
            let lock = File::open(&path).map_err(Error::io(format!("cannot open {}", path.display())))?;
            match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { lock, path }),
                Err(Errno::WOULDBLOCK) if Instant::now() < give_up => {
                    let place = path.clone();
                    let ended = tokio::task::spawn_blocking(move || system::end_holders(&place, &lock)).await;
                    tracing::debug!(job.id = %job, "Ends what a gate of job {job} left: {ended:?}");
                    tokio::time::sleep(PAUSE).await;
                }
                // The holder cannot be ended from here, and no gate may take this long.
                Err(Errno::WOULDBLOCK) => drop(std::fs::remove_file(&path)),
                Err(why) => {
                    let what = format!("cannot lock {}", path.display());
                    return Err(Error::Io { what, source: why.into() });
                }
            }
        }
    }

    /// Returns the standard input of a gate's command: empty, and not writable.
    pub(super) fn stdin(&self) -> Stdio {
        self.lock.try_clone().map_or_else(|_| Stdio::null(), Stdio::from)
    }
}

impl Drop for GateLock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// For systems that show processes as files.
#[cfg(target_os = "linux")]
mod system {
    use std::fs::{File, read_dir, read_link};
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// Ends all other processes that have a file open; returns their pids.
    pub(super) fn end_holders(path: &Path, file: &File) -> Vec<u32> {
        let all = read_dir("/proc").into_iter().flatten().flatten();
        let all = all.filter_map(|found| found.file_name().to_str()?.parse().ok());
        all.filter(|pid| *pid != std::process::id() && end(*pid, path, file)).collect()
    }

    fn end(pid: u32, path: &Path, file: &File) -> bool {
        let id = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let Some(id) = id.filter(|_| holds(pid, path, file)) else { return false };
        // From here on the pid cannot pass to another process.
        let Ok(handle) = pidfd_open(id, PidfdFlags::empty()) else { return false };
        holds(pid, path, file) && pidfd_send_signal(handle, Signal::KILL).is_ok()
    }

    fn holds(pid: u32, path: &Path, file: &File) -> bool {
        let Ok(file) = file.metadata() else { return false };
        let mut open = read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        // Other open files are not examined: they may be where that takes forever.
        open.any(|open| {
            read_link(open.path()).is_ok_and(|name| name.file_name() == path.file_name())
                && std::fs::metadata(open.path())
                    .is_ok_and(|open| (open.dev(), open.ino()) == (file.dev(), file.ino()))
        })
    }
}

/// For other systems: asks which processes have the file open.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::File;
    use std::path::Path;

    use rustix::process::{Pid, Signal, kill_process};

    /// Ends all other processes that have a file open; returns their pids.
    pub(super) fn end_holders(path: &Path, _: &File) -> Vec<u32> {
        let asked = std::process::Command::new("lsof").args(["-t", "--"]).arg(path).output();
        let said = asked.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
        let found = said.lines().filter_map(|line| line.trim().parse().ok());
        let end = |pid: &u32| {
            let id = i32::try_from(*pid).ok().and_then(Pid::from_raw);
            id.is_some_and(|id| kill_process(id, Signal::KILL).is_ok())
        };
        found.filter(|pid| *pid != std::process::id()).filter(end).collect()
    }
}
