//! Information about processes: which belong to a session, which are alive, which wait at the terminal.
//!
//! On Linux it is read from `/proc`. On other systems only the agent's own process group is known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process};

use super::files::Process;

/// The variable by which a session's processes are recognised wherever they are: it holds the session's folder, which
/// no other session on the machine has.
pub(super) const MARKER: &str = "HOLD_SESSION_DIR";

/// The processes to look for.
#[derive(Clone, Debug)]
pub(super) struct SessionProcesses<'a> {
    /// The session's folder, which its processes have in [`MARKER`].
    pub(super) dir: &'a Path,
    /// The host, which adopts orphans.
    pub(super) host: Option<u32>,
    /// The agent's process, which leads the terminal's session.
    pub(super) leader: Option<u32>,
}

/// The relevant part of `/proc/PID/stat`.
struct Stat {
    state: u8,
    parent: u32,
    group: u32,
    session: u32,
    start: u64,
}

/// Returns the wanted descendants of a process; descendants of an unwanted one are not examined.
fn descendants(root: u32, wanted: impl Fn(u32) -> bool) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        let threads = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
            let new =
                children.filter(|pid| stat(*pid).is_some_and(|stat| stat.state != b'Z') && wanted(*pid));
            open.extend(new.filter(|pid| found.insert(*pid)));
        }
    }
    found
}

/// Returns a running process in a form in which it can be recognised.
pub(super) fn known(pid: u32) -> Process {
    Process { pid, start: stat(pid).map_or(0, |stat| stat.start) }
}

/// Returns whether exactly that process still runs. A zombie does not count.
pub(super) fn is_alive(process: Process) -> bool {
    match stat(process.pid) {
        Some(stat) => stat.state != b'Z' && (process.start == 0 || stat.start == process.start),
        None if Path::new("/proc/self/stat").exists() => false,
        None => pid(process.pid).is_some_and(|pid| test_kill_process(pid).is_ok()),
    }
}

/// Returns all processes of a session except the host: its descendants, those on its terminal, and those with its
/// marker. Processes with another marker are left alone: an agent may have started a session that is to outlive it.
pub(super) fn members(family: &SessionProcesses<'_>) -> BTreeSet<u32> {
    // As long as there are descendants, handling them is enough; the whole machine is only searched when there are none
    // left.
    let near = family.host.map(|host| descendants(host, |pid| mark(pid, family.dir) != MarkerOwner::Other));
    match near {
        Some(near) if !near.is_empty() => near,
        _ => search(family),
    }
}

fn search(family: &SessionProcesses<'_>) -> BTreeSet<u32> {
    let all: BTreeMap<u32, Stat> = all().filter_map(|pid| Some((pid, stat(pid)?))).collect();
    let marks: BTreeMap<u32, MarkerOwner> = all.keys().map(|pid| (*pid, mark(*pid, family.dir))).collect();
    let mut found: BTreeSet<u32> = BTreeSet::new();
    loop {
        let before = found.len();
        let belongs = |(pid, stat): (&u32, &Stat)| match marks.get(pid) {
            Some(MarkerOwner::Other) => false,
            Some(MarkerOwner::Own) => true,
            Some(MarkerOwner::None) | None => {
                family.leader.is_some_and(|leader| stat.session == leader || *pid == leader)
                    || family.host == Some(stat.parent)
                    || found.contains(&stat.parent)
            }
        };
        let more: Vec<u32> = all.iter().filter(|entry| belongs(*entry)).map(|(pid, _)| *pid).collect();
        found.extend(more);
        if found.len() == before {
            break;
        }
    }
    found.retain(|pid| Some(*pid) != family.host && all.get(pid).is_some_and(|stat| stat.state != b'Z'));
    found.remove(&std::process::id());
    if all.is_empty() {
        found.extend(family.leader.filter(|leader| is_alive(Process { pid: *leader, start: 0 })));
    }
    found
}

/// Asks processes to end.
pub(super) fn ask_to_end(pids: &BTreeSet<u32>, leader: Option<u32>) {
    signal(pids, leader, Signal::TERM);
    // Shells at their prompt ignore SIGTERM, but obey SIGHUP.
    let deaf = pids.iter().copied().filter(|pid| ignores(*pid, Signal::TERM)).collect();
    signal(&deaf, None, Signal::HUP);
    // A stopped process handles nothing before it continues.
    signal(pids, leader, Signal::CONT);
}

/// Sends a signal to processes; those that are already gone do not matter.
pub(super) fn signal(pids: &BTreeSet<u32>, leader: Option<u32>, signal: Signal) {
    // Without `/proc`, the group is all that is known besides the leader.
    let group = leader.and_then(pid).filter(|_| !Path::new("/proc/self/stat").exists());
    if let Some(group) = group {
        let _ = kill_process_group(group, signal);
    }
    for process in pids.iter().filter_map(|process| pid(*process)) {
        let _ = kill_process(process, signal);
    }
}

/// Sends a signal to those processes that belong to another account, through the command that switches to it.
pub(super) fn signal_under(account: &[String], pids: &BTreeSet<u32>, signal: Signal) {
    let Some((program, words)) = account.split_first() else { return };
    let denied = |process: &&u32| {
        pid(**process).is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::PERM))
    };
    let theirs: Vec<String> = pids.iter().filter(denied).map(u32::to_string).collect();
    if theirs.is_empty() {
        return;
    }
    let mut command = std::process::Command::new(program);
    command.args(words).arg("kill").arg(format!("-{}", signal.as_raw())).args(theirs);
    command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
    // Processes that are already gone do not matter.
    let _ = command.stderr(std::process::Stdio::null()).status();
}

fn ignores(pid: u32, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits, 16).ok()).unwrap_or(0);
    ignored >> (signal.as_raw() - 1) & 1 == 1
}

/// Returns whether a process of the foreground group is blocked reading the terminal: true if one surely is, false if
/// all surely do something else, none if unknown. For use by the host.
pub(super) fn waits_for_input(group: u32, terminal: &Path) -> Option<bool> {
    let in_group = |pid: &u32| stat(*pid).is_some_and(|stat| stat.group == group && stat.state != b'Z');
    let mut members: Vec<u32> =
        descendants(std::process::id(), |_| true).into_iter().filter(in_group).collect();
    if members.is_empty() {
        members = all().filter(in_group).collect();
    }
    // Any process of a pipeline may be the one that waits; if one is unclear, so is the pipeline.
    let told: Vec<Option<bool>> = members.iter().map(|pid| one_waits(*pid, terminal)).collect();
    if told.contains(&Some(true)) {
        return Some(true);
    }
    // A process that has just ended could look like an unclear one; something is being done.
    if !members.iter().all(in_group) {
        return Some(false);
    }
    if told.is_empty() || told.contains(&None) { None } else { Some(false) }
}

fn one_waits(pid: u32, terminal: &Path) -> Option<bool> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut unclear = false;
    for thread in threads.flatten() {
        let main = thread.file_name().to_str() == Some(pid.to_string().as_str());
        let thread = thread.path();
        let state = std::fs::read_to_string(thread.join("stat")).ok()?;
        let state = state.rsplit_once(") ").map_or(b'?', |(_, rest)| rest.bytes().next().unwrap_or(b'?'));
        if state == b'R' || state == b'D' {
            return Some(false);
        }
        match thread_waits(&thread, pid, terminal) {
            Some(true) if main => return Some(true),
            // A thread that only reads keys says little about the others.
            Some(true) | None => unclear = true,
            Some(false) => {}
        }
    }
    if unclear { None } else { Some(false) }
}

fn thread_waits(thread: &Path, pid: u32, terminal: &Path) -> Option<bool> {
    // The current system call, with its arguments; for a read the first is the file descriptor.
    let Ok(call) = std::fs::read_to_string(thread.join("syscall")) else {
        // Reading that file is not allowed. The kernel function that it sleeps in tells less, but this one is
        // sufficient.
        let sleeps_in = std::fs::read_to_string(thread.join("wchan")).ok()?;
        return (sleeps_in.trim() == "n_tty_read").then_some(true);
    };
    let mut words = call.split_whitespace();
    let number: u64 = words.next()?.parse().ok()?;
    let file = u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok()?;
    match number {
        READ | READV => {
            let at = std::fs::read_link(format!("/proc/{pid}/fd/{file}")).ok()?;
            Some(at == terminal || at == Path::new("/dev/tty"))
        }
        // It waits for descriptors below a number; if that is 1, only for the first.
        WAIT_BELOW if file == 1 => {
            let at = std::fs::read_link(format!("/proc/{pid}/fd/0")).ok()?;
            if at == terminal { Some(true) } else { None }
        }
        number if MANY.contains(&number) => None,
        _ => Some(false),
    }
}

#[cfg(target_arch = "x86_64")]
const READ: u64 = 0;
#[cfg(target_arch = "x86_64")]
const READV: u64 = 19;
#[cfg(target_arch = "x86_64")]
const WAIT_BELOW: u64 = 270;
/// The system calls that wait for several files: the polls, the selects, `io_uring_enter`.
#[cfg(target_arch = "x86_64")]
const MANY: [u64; 8] = [7, 23, 232, 270, 271, 281, 426, 441];
#[cfg(not(target_arch = "x86_64"))]
const READ: u64 = 63;
#[cfg(not(target_arch = "x86_64"))]
const READV: u64 = 65;
#[cfg(not(target_arch = "x86_64"))]
const WAIT_BELOW: u64 = 72;
/// The same on 64-bit ARM and RISC-V.
#[cfg(not(target_arch = "x86_64"))]
const MANY: [u64; 5] = [22, 72, 73, 426, 441];

/// The owner of a process's marker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkerOwner {
    Own,
    Other,
    None,
}

fn mark(pid: u32, dir: &Path) -> MarkerOwner {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let value = environment.split(|byte| *byte == 0).find_map(|variable| {
        variable.strip_prefix(MARKER.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
    });
    match value {
        Some(value) if value == dir.as_os_str().as_bytes() => MarkerOwner::Own,
        Some(_) => MarkerOwner::Other,
        None => MarkerOwner::None,
    }
}

fn all() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn stat(pid: u32) -> Option<Stat> {
    // In a single read, because there are many processes.
    let mut buffer = [0; 1024];
    let count = File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read(&mut buffer)).ok()?;
    let text = String::from_utf8_lossy(&buffer[..count]);
    // The name is in parentheses and may contain anything, parentheses included.
    let (_, rest) = text.rsplit_once(") ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let id = |at: usize| number(at).and_then(|id| u32::try_from(id).ok());
    Some(Stat {
        state: *words.first()?.as_bytes().first()?,
        parent: id(1)?,
        group: id(2)?,
        session: id(3)?,
        start: number(19)?,
    })
}

fn pid(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}
