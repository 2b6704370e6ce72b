//! Detects whether a shell reads our output into a variable.

/// Returns whether a shell reads our output itself, as in `pending=$(bd decision list --json)`.
///
/// Scripts test such a variable for being empty, so an empty list must print nothing there. Every other reader, such
/// as `jq`, Python's `subprocess`, or a shell behind `timeout`, gets `[]`; so does every reader where there is no
/// `/proc`.
/// `jq`, Python's `subprocess`, or a shell behind `timeout`, gets `[]`; so does everyone where there is no `/proc`.
pub(super) fn is_captured() -> bool {
    #[cfg(target_os = "linux")]
    {
        is_read_by_shell().unwrap_or(false)
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}

/// Looks for the reading end of our pipe in the shells above us; a subshell has a shell as its parent, too.
#[cfg(target_os = "linux")]
fn is_read_by_shell() -> Option<bool> {
    /// How many nested shells are checked.
    const MOST: usize = 16;
    // Both ends of a pipe have the same name.
    let own = std::fs::read_link("/proc/self/fd/1").ok()?;
    if !own.to_string_lossy().starts_with("pipe:") {
        return Some(false);
    }
    let mut process = std::os::unix::process::parent_id();
    for _ in 0..MOST {
        if !is_shell(process) {
            return Some(false);
        }
        if waits_for(process, &own)? {
            return Some(true);
        }
        process = said_of(process, "PPid:")?.parse().ok()?;
    }
    Some(false)
}

/// Returns whether a process is a shell. A script has its own name, so its executable is checked.
#[cfg(target_os = "linux")]
fn is_shell(process: u32) -> bool {
    const SHELLS: [&str; 9] = ["sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "ash", "busybox"];
    let program = std::fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    program.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| SHELLS.contains(&name))
}

/// Returns whether a process sleeps with a pipe open for reading. A shell that is still building a pipeline also has
/// it open for a moment, but is awake.
#[cfg(target_os = "linux")]
fn waits_for(process: u32, pipe: &std::path::Path) -> Option<bool> {
    /// How often to check whether it has fallen asleep, and the pause between checks.
    const TIMES: usize = 1_000;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);
    for _ in 0..TIMES {
        if !reads(process, pipe)? {
            return Some(false);
        }
        if said_of(process, "State:")?.starts_with('S') {
            // It may have closed the pipe between the two checks.
            return reads(process, pipe);
        }
        std::thread::sleep(PAUSE);
    }
    Some(false)
}

/// Returns whether a process has a pipe open for reading.
#[cfg(target_os = "linux")]
fn reads(process: u32, pipe: &std::path::Path) -> Option<bool> {
    /// The access mode in the flags of an open file; 0 is read-only.
    const MODE: u32 = 0o3;
    let opened = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?;
    let is_reading = |number: &std::ffi::OsStr| {
        let path = format!("/proc/{process}/fdinfo/{}", number.to_string_lossy());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
        flags
            .and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok())
            .is_some_and(|flags| flags & MODE == 0)
    };
    Some(opened.flatten().any(|open| {
        std::fs::read_link(open.path()).is_ok_and(|target| target == pipe) && is_reading(&open.file_name())
    }))
}

/// Returns a field of a process's status file.
#[cfg(target_os = "linux")]
fn said_of(process: u32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix(name))?.trim().to_owned())
}
