//! Whether a shell reads what we print into a variable.

/// Returns whether a shell reads our output itself, as in `pending=$(bd decision list --json)`.
///
/// A shell tests such a variable for being empty, so an empty list must print nothing there. Every other reader, such as
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

/// Looks for the reading end of our pipe in the shells above us: a subshell has a shell as its parent, too.
#[cfg(target_os = "linux")]
fn is_read_by_shell() -> Option<bool> {
    /// How many shells within shells are looked at.
    const MOST: usize = 16;
    // A pipe has one name, which both of its ends have.
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

/// A script has a name of its own, so the program that runs it is looked at.
#[cfg(target_os = "linux")]
fn is_shell(process: u32) -> bool {
    const SHELLS: [&str; 9] = ["sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "ash", "busybox"];
    let program = std::fs::read_link(format!("/proc/{process}/exe")).unwrap_or_default();
    program.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| SHELLS.contains(&name))
}

/// Whether a process sleeps with a pipe open for reading. A shell that still builds a pipeline has it open as well, for a
/// moment, and is awake.
#[cfg(target_os = "linux")]
fn waits_for(process: u32, pipe: &std::path::Path) -> Option<bool> {
    /// How often, and how long at a time, it is looked whether it has fallen asleep.
    const TIMES: usize = 1_000;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);
    for _ in 0..TIMES {
        if !reads(process, pipe)? {
            return Some(false);
        }
        if said_of(process, "State:")?.starts_with('S') {
            // It may have let go of the pipe between the two looks.
            return reads(process, pipe);
        }
        std::thread::sleep(PAUSE);
    }
    Some(false)
}

/// Whether a process has a pipe open for reading.
#[cfg(target_os = "linux")]
fn reads(process: u32, pipe: &std::path::Path) -> Option<bool> {
    /// The access mode among the flags of an open file; reading alone is 0.
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

/// Returns what the system says of a process under a name.
#[cfg(target_os = "linux")]
fn said_of(process: u32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix(name))?.trim().to_owned())
}
