//! What the machine says of processes: who belongs to a session, who still lives, who waits at the terminal.
//!
//! On Linux it is read from `/proc`. Elsewhere only the agent's own process group is known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process};

use super::files::Process;

/// The variable by which a session's processes are known wherever they went.
pub(super) const MARKER: &str = "HOLD_SESSION";

/// Whom to look for.
#[derive(Clone, Debug)]
pub(super) struct Family<'a> {
    /// The session's name, which its processes carry in [`MARKER`].
    pub(super) id: &'a str,
    /// The host, which orphans are given to.
    pub(super) host: Option<u32>,
    /// The agent's process, which leads the terminal's session.
    pub(super) leader: Option<u32>,
}

/// One line of `/proc/PID/stat`, as far as it matters.
struct Stat {
    state: u8,
    parent: u32,
    group: u32,
    session: u32,
    start: u64,
}

/// Returns a running process so that it can be known again.
pub(super) fn known(pid: u32) -> Process {
    Process { pid, start: stat(pid).map_or(0, |stat| stat.start) }
}

/// Returns whether that very process still runs. One that only waits to be reaped does not.
pub(super) fn lives(process: Process) -> bool {
    match stat(process.pid) {
        Some(stat) => stat.state != b'Z' && (process.start == 0 || stat.start == process.start),
        None if Path::new("/proc/self/stat").exists() => false,
        None => pid(process.pid).is_some_and(|pid| test_kill_process(pid).is_ok()),
    }
}

/// Returns all processes of a session but the host: what descends from it, what is on its terminal, what carries its
/// marker.
pub(super) fn members(family: &Family<'_>) -> BTreeSet<u32> {
    let all: BTreeMap<u32, Stat> = all().filter_map(|pid| Some((pid, stat(pid)?))).collect();
    let mut found: BTreeSet<u32> = BTreeSet::new();
    let marker = format!("{MARKER}={}", family.id);
    for (&pid, stat) in &all {
        let on_terminal = family.leader.is_some_and(|leader| stat.session == leader);
        if on_terminal || family.leader == Some(pid) || has_marker(pid, &marker) {
            found.insert(pid);
        }
    }
    loop {
        let before = found.len();
        let child = |(pid, stat): (&u32, &Stat)| {
            (family.host == Some(stat.parent) || found.contains(&stat.parent)).then_some(*pid)
        };
        let children: Vec<u32> = all.iter().filter_map(child).collect();
        found.extend(children);
        if found.len() == before {
            break;
        }
    }
    found.retain(|pid| Some(*pid) != family.host && all.get(pid).is_some_and(|stat| stat.state != b'Z'));
    found.remove(&std::process::id());
    if all.is_empty() {
        found.extend(family.leader.filter(|leader| lives(Process { pid: *leader, start: 0 })));
    }
    found
}

/// Sends a signal to processes; what is gone meanwhile is no matter.
pub(super) fn signal(pids: &BTreeSet<u32>, leader: Option<u32>, signal: Signal) {
    // Where there is no `/proc`, the group is all that is known beside the leader.
    if !Path::new("/proc/self/stat").exists() {
        if let Some(leader) = leader.and_then(pid) {
            let _ = kill_process_group(leader, signal);
        }
    }
    for process in pids.iter().filter_map(|process| pid(*process)) {
        let _ = kill_process(process, signal);
    }
}

/// Returns whether a process of the foreground group is blocked reading the terminal: yes if one surely is, no if all
/// surely do something else, nothing if it cannot be told.
pub(super) fn waits_for_input(group: u32, terminal: &Path) -> Option<bool> {
    let members =
        all().filter(|pid| stat(*pid).is_some_and(|stat| stat.group == group && stat.state != b'Z'));
    let mut answer = None;
    for pid in members {
        match one_waits(pid, terminal) {
            Some(true) => return Some(true),
            // Of a pipeline one may be hard to tell; then the whole is.
            None => return None,
            Some(false) => answer = Some(false),
        }
    }
    answer
}

fn one_waits(pid: u32, terminal: &Path) -> Option<bool> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut answer = None;
    for thread in threads.flatten() {
        let thread = thread.path();
        let state = std::fs::read_to_string(thread.join("stat")).ok()?;
        let state = state.rsplit_once(") ").map_or(b'?', |(_, rest)| rest.bytes().next().unwrap_or(b'?'));
        if state == b'R' || state == b'D' {
            answer = Some(false);
            continue;
        }
        match thread_waits(&thread, pid, terminal) {
            Some(true) => return Some(true),
            Some(false) => answer = answer.or(Some(false)),
            None => return None,
        }
    }
    answer
}

fn thread_waits(thread: &Path, pid: u32, terminal: &Path) -> Option<bool> {
    // The name of the kernel function that it sleeps in.
    match std::fs::read_to_string(thread.join("wchan")).as_deref().map(str::trim) {
        Ok("n_tty_read" | "wait_woken" | "tty_read" | "0" | "") | Err(_) => {}
        // These wait for several things at once, a terminal perhaps among them.
        Ok(name) if name.contains("poll") || name.contains("select") || name.contains("epoll") => {
            return None;
        }
        Ok(_) => return Some(false),
    }
    // The call that it is in, with its arguments; for a read the first is which file.
    let Ok(call) = std::fs::read_to_string(thread.join("syscall")) else {
        // Not allowed here. The kernel's function that it sleeps in tells less, but this one tells enough.
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
        // It waits for files below a number; if that is 1, for the first alone.
        SELECT if file == 1 => {
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
const SELECT: u64 = 270;
/// poll, select, epoll_wait, pselect6, ppoll, epoll_pwait, io_uring_enter, epoll_pwait2.
#[cfg(target_arch = "x86_64")]
const MANY: [u64; 8] = [7, 23, 232, 270, 271, 281, 426, 441];
#[cfg(not(target_arch = "x86_64"))]
const READ: u64 = 63;
#[cfg(not(target_arch = "x86_64"))]
const READV: u64 = 65;
#[cfg(not(target_arch = "x86_64"))]
const SELECT: u64 = 72;
/// epoll_pwait, pselect6, ppoll, io_uring_enter, epoll_pwait2, as on 64-bit ARM and RISC-V.
#[cfg(not(target_arch = "x86_64"))]
const MANY: [u64; 5] = [22, 72, 73, 426, 441];

fn has_marker(pid: u32, marker: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == marker.as_bytes())
}

fn all() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    // The name stands in parentheses and may hold anything, these too.
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
