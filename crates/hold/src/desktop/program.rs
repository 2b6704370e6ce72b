//! Runs desktop programs within bounds of time and size.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// How long a program that only prints something may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How much of its output is read.
const MOST_BYTES: u64 = 64 * 1024;
/// How much of a line is read.
const MOST_LINE: u64 = 4 * 1024;

/// Finds a program on the path.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Runs a program to its end and returns its output.
pub(super) async fn run(program: &Path, arguments: &[String]) -> Result<String, String> {
    let (mut child, stdout) = start(program, arguments)?;
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut said = Vec::new();
    let ended = async {
        let read = stdout.take(MOST_BYTES).read_to_end(&mut said).await;
        (read, child.wait().await)
    };
    match tokio::time::timeout(TIMEOUT, ended).await {
        Err(_) => Err(format!("{name} took too long")),
        Ok((_, Ok(status))) if !status.success() => Err(format!("{name} failed: {status}")),
        Ok((Err(why), _) | (_, Err(why))) => Err(format!("{name}: {why}")),
        Ok((Ok(_), Ok(_))) => Ok(String::from_utf8_lossy(&said).into_owned()),
    }
}

/// Starts a program whose output is read; it is killed on drop.
pub(super) fn start(program: &Path, arguments: &[String]) -> Result<(Child, ChildStdout), String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let failed = |why| format!("{} cannot be run: {why}", program.display());
    let mut child = command.kill_on_drop(true).spawn().map_err(failed)?;
    let stdout = child.stdout.take().ok_or("its output cannot be read")?;
    Ok((child, stdout))
}

/// Reads a line, up to the maximum length; none at the end.
pub(super) async fn line(reader: &mut BufReader<ChildStdout>) -> Option<String> {
    let mut bytes = Vec::new();
    let read = (&mut *reader).take(MOST_LINE).read_until(b'\n', &mut bytes).await.ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Opens an address in the browser without waiting for it.
pub(super) fn open_page(address: &str) {
    let name = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let Some(program) = find(name) else {
        tracing::warn!("{name} is not installed, so {address} cannot be opened");
        return;
    };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => drop(tokio::spawn(async move { child.wait().await })),
        Err(why) => tracing::warn!("{name} cannot be run: {why}"),
    }
}
