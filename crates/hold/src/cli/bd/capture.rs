//! Who reads what we print.

/// Returns whether standard output is a pipe that our parent reads, as it is in `pending=$(bd decision list --json)`.
///
/// A shell tests such a variable for being empty, so an empty list must print nothing there. A program at the other end
/// of a pipe, such as `jq length`, needs `[]`. Where that cannot be told, the answer is yes.
pub(super) fn is_captured() -> bool {
    #[cfg(target_os = "linux")]
    {
        is_read_by_parent().unwrap_or(true)
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::io::IsTerminal as _;
        !std::io::stdout().is_terminal()
    }
}

/// A pipe has one name, which both of its ends carry.
#[cfg(target_os = "linux")]
fn is_read_by_parent() -> std::io::Result<bool> {
    let own = std::fs::read_link("/proc/self/fd/1")?;
    if !own.to_string_lossy().starts_with("pipe:") {
        return Ok(false);
    }
    let parent = std::os::unix::process::parent_id();
    let opened = std::fs::read_dir(format!("/proc/{parent}/fd"))?;
    Ok(opened.flatten().any(|open| std::fs::read_link(open.path()).is_ok_and(|target| target == own)))
}
