//! Gits that outlived the process that started them, with the hooks they run: found by their open files and
//! environment, and ended.
//!
//! Each git that is recorded in a ledger has the ledger as its stderr, and its path in the environment, and so has
//! everything that it starts, unless that prevents it. The ledger also names its writer. If the writer is gone and a
//! process still has the ledger, a hook runs without a caller, and the next hook must not run beside it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::ledger::{self, LedgerEntry};
use super::{GitError, GitFolder, Kind};

/// The variable that passes the path of the ledger to git and everything it starts.
pub(super) const MARK: &str = "HOLD_LEDGER";
/// How often to check whether they are gone.
const PAUSE: Duration = Duration::from_millis(20);

/// The process that wrote a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LedgerOwner {
    pid: u32,
    /// When it began, on the system's clock; a later process with the same pid began later. None if unknown.
    began: u64,
    /// The session that it and everything it starts belong to. A daemon started by a hook leaves it.
    session: u32,
}

/// What is known about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    began: u64,
    session: u32,
}

impl LedgerOwner {
    /// Returns this process.
    pub(super) fn this() -> Self {
        let pid = std::process::id();
        let seen = system::process(pid);
        let began = seen.map_or(0, |seen| seen.began);
        Self { pid, began, session: seen.map_or(0, |seen| seen.session) }
    }

    pub(super) fn to_line(&self) -> String {
        format!("by {} {} {}", self.pid, self.began, self.session)
    }

    pub(super) fn read(words: &str) -> Option<Self> {
        let mut words = words.strip_prefix("by ")?.split(' ');
        let mut number = || words.next()?.parse::<u64>().ok();
        let (pid, began, session) = (number()?, number()?, number()?);
        Some(Self { pid: u32::try_from(pid).ok()?, began, session: u32::try_from(session).ok()? })
    }

    fn is_alive(&self) -> bool {
        system::process(self.pid).is_some_and(|seen| self.began == 0 || seen.began == self.began)
    }
}

impl GitFolder {
    /// Ends the gits that killed processes of ours left running here, with their hooks, and waits until they are gone.
    /// Returns an error if some belong to other accounts or machines and cannot be ended.
    pub(crate) async fn end_orphans(&self, timeout: Duration) -> Result<(), GitError> {
        // What is wrong with the repository is reported by the code that works on it.
        let Ok(common) = self.common() else { return Ok(()) };
        let until = Instant::now() + timeout;
        while ledger::any(&common) {
            let place = common.clone();
            let left = tokio::task::spawn_blocking(move || end(&place)).await;
            match left.unwrap_or_else(|broken| Some(broken.to_string())) {
                None => break,
                Some(left) if Instant::now() >= until => return Err(GitError::new(Kind::Busy, left)),
                Some(_) => tokio::time::sleep(PAUSE).await,
            }
        }
        Ok(())
    }
}

/// Tells all of them to end; returns a description of one that remains.
fn end(common: &Path) -> Option<String> {
    let Some((_alone, entries)) = ledger::alone(common) else {
        return Some("another process is working in the repository".to_owned());
    };
    entries.iter().find_map(end_of)
}

fn end_of(entry: &LedgerEntry) -> Option<String> {
    let owner = entry.owner.as_ref().filter(|owner| entry.order.is_some() && !owner.is_alive())?;
    let found = system::orphans(entry, owner);
    for pid in &found {
        tracing::info!("Ends process {pid}, which process {} left when it was killed", owner.pid);
        system::end(*pid, entry, owner);
    }
    if found.is_empty() && !entry.held {
        return None;
    }
    let who = match found.as_slice() {
        [] => "a git or a hook that cannot be seen from here (another account's, or on another machine)"
            .to_owned(),
        some => {
            let named: Vec<String> = some.iter().map(u32::to_string).collect();
            format!("a git or a hook that cannot be ended from here (process {})", named.join(", "))
        }
    };
    Some(format!(
        "{who} is still running in the repository, for process {} which was killed. End it where it runs, or wait for it; nothing else starts meanwhile. It has {} open",
        owner.pid,
        entry.path.display()
    ))
}

/// For systems that show processes as files.
#[cfg(target_os = "linux")]
mod system {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

    use super::{LedgerEntry, LedgerOwner, MARK, Process};

    /// Returns what is known about a running process.
    pub(super) fn process(pid: u32) -> Option<Process> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before it may contain anything.
        let (_, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let (state, session, began) = (*fields.first()?, fields.get(3)?, fields.get(19)?);
        let ended = matches!(state, "Z" | "X");
        (!ended).then_some(Process { began: began.parse().ok()?, session: session.parse().ok()? })
    }

    pub(super) fn orphans(entry: &LedgerEntry, owner: &LedgerOwner) -> Vec<u32> {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let all = all.filter_map(|found| found.file_name().to_str()?.parse().ok());
        all.filter(|pid| is_orphan(*pid, entry, owner)).collect()
    }

    /// Ends a process, if it is still an orphan.
    pub(super) fn end(pid: u32, entry: &LedgerEntry, owner: &LedgerOwner) {
        let Some(id) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
        match pidfd_open(id, PidfdFlags::empty()) {
            // From here on the pid cannot pass to another process.
            Ok(handle) if is_orphan(pid, entry, owner) => drop(pidfd_send_signal(handle, Signal::KILL)),
            Err(rustix::io::Errno::NOSYS) => drop(kill_process(id, Signal::KILL)),
            _ => {}
        }
    }

    fn is_orphan(pid: u32, entry: &LedgerEntry, owner: &LedgerOwner) -> bool {
        pid != std::process::id() && (holds(pid, entry) || (is_marked(pid, &entry.path) && is_of(pid, owner)))
    }

    fn is_of(pid: u32, owner: &LedgerOwner) -> bool {
        process(pid).is_some_and(|seen| seen.session == owner.session)
    }

    fn is_marked(pid: u32, ledger: &Path) -> bool {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut mark = format!("{MARK}=").into_bytes();
        mark.extend(ledger.as_os_str().as_bytes());
        environment.split(|byte| *byte == 0).any(|variable| variable == mark)
    }

    /// Returns whether a process has the ledger open for writing, as a git does. One that only reads it, such as a
    /// backup, is not an orphan.
    fn holds(pid: u32, entry: &LedgerEntry) -> bool {
        let Ok(ledger) = entry.file.metadata() else { return false };
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        // Other open files are not examined: they may be where that takes forever.
        let named = |path: &Path| {
            std::fs::read_link(path).is_ok_and(|name| name.file_name() == entry.path.file_name())
        };
        let is_it = |open: &std::fs::DirEntry| {
            let found = std::fs::metadata(open.path());
            found.is_ok_and(|open| (open.dev(), open.ino()) == (ledger.dev(), ledger.ino()))
        };
        let open = open.filter(|open| named(&open.path()) && is_it(open));
        open.map(|open| open.file_name()).any(|number| writes(pid, &number.to_string_lossy()))
    }

    fn writes(pid: u32, number: &str) -> bool {
        /// The access mode in the flags of an open file; zero if it is read-only.
        const ACCESS: u32 = 0o3;
        let known = std::fs::read_to_string(format!("/proc/{pid}/fdinfo/{number}")).unwrap_or_default();
        let flags =
            known.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        flags.is_some_and(|flags| flags & ACCESS != 0)
    }
}

/// For other systems: asks which processes have the ledger open.
#[cfg(not(target_os = "linux"))]
mod system {
    use rustix::process::{Pid, Signal, getsid, kill_process, test_kill_process};

    use super::{LedgerEntry, LedgerOwner, Process};

    fn id(pid: u32) -> Option<Pid> {
        i32::try_from(pid).ok().and_then(Pid::from_raw)
    }

    /// Returns what is known about a running process; when it began is unknown.
    pub(super) fn process(pid: u32) -> Option<Process> {
        let id = id(pid)?;
        test_kill_process(id).ok()?;
        let session =
            getsid(Some(id)).ok().and_then(|session| session.as_raw_nonzero().get().try_into().ok());
        Some(Process { began: 0, session: session.unwrap_or(0) })
    }

    pub(super) fn orphans(entry: &LedgerEntry, _owner: &LedgerOwner) -> Vec<u32> {
        let asked = std::process::Command::new("lsof").args(["-F", "pa", "--"]).arg(&entry.path).output();
        let said = asked.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
        let (mut pid, mut found) = (None, Vec::new());
        for line in said.lines() {
            match line.split_at_checked(1) {
                Some(("p", number)) => pid = number.parse().ok().filter(|pid| *pid != std::process::id()),
                // A process that only reads it, such as a backup, is not an orphan.
                Some(("a", "w" | "u")) => found.extend(pid.take()),
                _ => {}
            }
        }
        found
    }

    pub(super) fn end(pid: u32, _entry: &LedgerEntry, _owner: &LedgerOwner) {
        if let Some(id) = id(pid) {
            let _ = kill_process(id, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_read_as_it_is_written_and_known_by_when_it_began() {
        let this = LedgerOwner::this();
        assert_eq!(LedgerOwner::read(&this.to_line()), Some(this.clone()));
        assert!(this.is_alive());
        for bad in ["", "by", "by 1 2", "by x 2 3", "of 1 2 3", "by -1 2 3", "by 99999999999 2 3"] {
            assert_eq!(LedgerOwner::read(bad), None, "{bad}");
        }
        if cfg!(target_os = "linux") {
            assert!(!LedgerOwner { began: this.began + 1, ..this }.is_alive(), "another with its number");
        }
    }

    #[tokio::test]
    async fn who_cannot_be_ended_is_waited_for_and_named() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("objects")).unwrap();
        let folder = GitFolder::at(place.path());
        folder.end_orphans(Duration::ZERO).await.unwrap();
        let held = super::super::ledger::Ledger::open(&folder).await.unwrap();
        // The only holder is this process, which does not end itself.
        let path = held.path().to_owned();
        let gone = LedgerOwner { pid: u32::MAX >> 2, began: 1, session: 1 };
        let record = |words: String| {
            use std::os::unix::fs::FileExt as _;
            let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.write_all_at(format!("{words:2047}\n").as_bytes(), 0).unwrap();
        };
        record(format!("commit\n{}", gone.to_line()));
        let fault = folder.end_orphans(Duration::from_millis(50)).await.unwrap_err();
        assert_eq!(fault.kind, Kind::Busy);
        assert!(fault.why.contains("cannot be seen from here"), "{fault}");
        assert!(fault.why.contains(&path.display().to_string()), "{fault}");
        // A ledger whose owner lives is in use, and one that names no order is not an orphan's.
        record(format!("commit\n{}", LedgerOwner::this().to_line()));
        folder.end_orphans(Duration::ZERO).await.unwrap();
        record(format!("\n{}", gone.to_line()));
        folder.end_orphans(Duration::ZERO).await.unwrap();
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_who_writes_into_a_ledger_is_ended() {
        use std::process::{Command, Stdio};
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("objects")).unwrap();
        let folder = GitFolder::at(place.path());
        let ledger = super::super::ledger::Ledger::open(&folder).await.unwrap();
        let sleeps = |stdin: std::fs::File| {
            Command::new("sleep").arg("777").stdin(Stdio::from(stdin)).spawn().unwrap()
        };
        let mut reader = sleeps(std::fs::File::open(ledger.path()).unwrap());
        let open = || std::fs::OpenOptions::new().write(true).open(ledger.path()).unwrap();
        let mut writer = sleeps(open());
        let gone = LedgerOwner { pid: u32::MAX >> 2, began: 1, session: 1 };
        std::os::unix::fs::FileExt::write_all_at(
            &open(),
            format!("{:2047}\n", format!("commit\n{}", gone.to_line())).as_bytes(),
            0,
        )
        .unwrap();
        // This process has it too, and does not end itself.
        let fault = folder.end_orphans(Duration::from_millis(50)).await.unwrap_err();
        assert_eq!(fault.kind, Kind::Busy);
        assert!(!writer.wait().unwrap().success());
        assert!(reader.try_wait().unwrap().is_none(), "it runs on");
        reader.kill().unwrap();
        reader.wait().unwrap();
    }
}
