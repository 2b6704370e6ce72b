//! Runs a gate's command, and commands that notify of a beginning or an end.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::account::AccountCommand;
use super::gate_lock::GateLock;
use super::launch;
use crate::group::Group;

/// How long a gate may take.
pub(super) const LONGEST: Duration = Duration::from_secs(30 * 60);
/// How much of its output is shown.
const SHOWN: usize = 2_000;
/// How much of each stream is kept as evidence; earlier output is dropped.
const KEPT: usize = 1 << 20;

/// How a gate's command ended.
pub(super) struct GateResult {
    /// The exit code; as in a shell if a signal ended it.
    pub(super) code: i32,
    /// The end of its standard error.
    pub(super) stderr: String,
    /// The end of its standard output.
    pub(super) stdout: String,
    /// Its whole output, with standard error at the end.
    pub(super) log: String,
}

impl GateResult {
    /// Returns the result of a gate that had to be stopped.
    pub(super) fn failed(code: i32, why: String) -> Self {
        Self { code, log: why.clone(), stderr: why, stdout: String::new() }
    }
}

/// Runs a command to its end, or kills it with everything it started when its time is up or nothing waits for it any
/// more. Given a gate lock, it holds the lock as long as it runs.
pub(super) async fn run(
    account: &AccountCommand,
    command: &str,
    dir: &Path,
    lock: Option<&GateLock>,
) -> GateResult {
    use std::os::unix::process::ExitStatusExt as _;
    let mut shell = account.command("sh", &["-c", command]);
    for name in launch::SERVERS_OWN {
        shell.env_remove(name);
    }
    shell.current_dir(dir).process_group(0).kill_on_drop(true);
    shell.stdin(lock.map_or_else(Stdio::null, GateLock::stdin)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(why) => return GateResult::failed(127, format!("cannot be started: {why}")),
    };
    let group = Group(child.id());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let all = async { tokio::join!(child.wait(), last_of(out), last_of(err)) };
    let ended = tokio::time::timeout(LONGEST, all).await;
    drop(group);
    match ended {
        Ok((Ok(status), out, err)) => {
            let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
            GateResult { code, stderr: end_of(&err), stdout: end_of(&out), log: out + &err }
        }
        Ok((Err(why), ..)) => GateResult::failed(126, why.to_string()),
        Err(_) => {
            GateResult::failed(124, format!("took longer than {} min and was ended", LONGEST.as_secs() / 60))
        }
    }
}

/// Reads a stream to its end and returns its last part.
async fn last_of(stream: Option<impl AsyncRead + Unpin>) -> String {
    let (mut kept, mut part) = (Vec::new(), vec![0; 1 << 16]);
    let Some(mut stream) = stream else { return String::new() };
    while let Ok(read @ 1..) = stream.read(&mut part).await {
        kept.extend_from_slice(&part[..read]);
        // Only at intervals, so that not every read moves all of it.
        if kept.len() > 2 * KEPT {
            kept.drain(..kept.len() - KEPT);
        }
    }
    String::from_utf8_lossy(&kept[kept.len().saturating_sub(KEPT)..]).into_owned()
}

fn end_of(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(SHOWN);
    text.chars().skip(skip).collect()
}
