//! Runs a gate's command, and those that tell of a beginning or an end.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::group::Group;

/// How long a gate may take.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// How much of what it said is shown.
const SHOWN: usize = 2_000;

/// How a gate's command ended.
pub(super) struct Gated {
    /// The exit code; what a shell would say where a signal ended it.
    pub(super) code: i32,
    /// The end of what it wrote as errors.
    pub(super) stderr: String,
}

/// Runs a command to its end, or ends it with all it started when its time is up or nobody waits any more.
pub(super) async fn run(command: &str, dir: &Path) -> Gated {
    use std::os::unix::process::ExitStatusExt as _;
    let mut shell = tokio::process::Command::new("sh");
    shell.args(["-c", command]).current_dir(dir).process_group(0).kill_on_drop(true);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = match shell.spawn() {
        Ok(child) => child,
        Err(why) => return Gated { code: 127, stderr: format!("cannot be started: {why}") },
    };
    let group = Group(child.id());
    let ended = tokio::time::timeout(LONGEST, child.wait_with_output()).await;
    drop(group);
    match ended {
        Ok(Ok(output)) => {
            let status = output.status;
            let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
            Gated { code, stderr: end_of(&String::from_utf8_lossy(&output.stderr)) }
        }
        Ok(Err(why)) => Gated { code: 126, stderr: why.to_string() },
        Err(_) => Gated {
            code: 124,
            stderr: format!("took longer than {} min and was ended", LONGEST.as_secs() / 60),
        },
    }
}

fn end_of(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(SHOWN);
    text.chars().skip(skip).collect()
}
