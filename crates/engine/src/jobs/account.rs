//! The account that agents run under: the server's own, or another that a command of the settings leads to.
//!
//! Such a command (`sudo -u agent --`) mostly starts its program with an environment of that account's. So what an agent
//! is to find in its own goes through a file that the account itself has made, and never through arguments, which others
//! on the machine can read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use holdpoint_core::job::interpolate::quoted;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::sessions::Spec;

/// How long one call of the settings' command may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Makes a file for its own account alone, and says where it is.
const KEEP: &str =
    "umask 077 && f=$(mktemp \"${TMPDIR:-/tmp}/hold-XXXXXXXXXX\") && cat >\"$f\" && printf %s \"$f\"";
/// Writes the diff between a commit and what a work tree holds, with an index and objects of its own.
const DIFF: &str = "set -eu; cd \"$1\"; t=$(mktemp -d); trap 'rm -rf \"$t\"' EXIT; mkdir \"$t/objects\"\n\
    export GIT_INDEX_FILE=\"$t/index\" GIT_OBJECT_DIRECTORY=\"$t/objects\" GIT_ALTERNATE_OBJECT_DIRECTORIES=\"$3\"\n\
    g() { git -c safe.directory='*' -c core.quotePath=false \"$@\"; }\n\
    g read-tree \"$2\"; g add --all -- .\n\
    g diff-index --cached -p --binary --full-index -M --no-ext-diff --no-textconv \"$2\"";

/// The words of the settings by which a program runs under the account of agents; none where that is the server's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Account(pub(super) Vec<String>);

impl Account {
    /// Returns whether agents have an account that is not the server's.
    pub(super) fn is_own(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns a program with its arguments, as it is started under that account.
    pub(super) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut words = self.0.iter().map(String::as_str).chain([program]);
        let mut command = Command::new(words.next().unwrap_or(program));
        command.args(words).args(arguments);
        command
    }

    /// Makes a session run under that account, with the environment that it is to have.
    pub(super) async fn wrap(&self, spec: &mut Spec) -> Result<(), String> {
        if !self.is_own() {
            return Ok(());
        }
        let script = script(&spec.env, &spec.cwd, &spec.run);
        let file = self.said(KEEP, &[], script.as_bytes()).await?;
        let file = String::from_utf8_lossy(&file).trim().to_owned();
        if !Path::new(&file).is_absolute() {
            return Err(format!("[jobs] as: it said {file:?} instead of where it keeps a file"));
        }
        let words = self.0.iter().map(String::as_str).chain(["sh", &file]);
        spec.run = format!("exec {}", words.map(quoted).collect::<Vec<_>>().join(" "));
        spec.account.clone_from(&self.0);
        // Nothing of it is for the command that switches to the account, nor for those who can inspect that one.
        spec.env.retain(|_, value| value.is_none());
        Ok(())
    }

    /// Gives a folder to that account. Only root can; elsewhere the folder's own rules must let the account in.
    pub(super) async fn take_over(&self, folder: &Path) -> Result<(), String> {
        if !self.is_own() || !rustix::process::geteuid().is_root() {
            return Ok(());
        }
        let ids = self.said("id -u && id -g", &[], &[]).await?;
        let ids = String::from_utf8_lossy(&ids).split_whitespace().collect::<Vec<_>>().join(":");
        let mut command = Command::new("chown");
        command.args(["-R", "-h", &ids]).arg(folder).stdout(Stdio::null());
        finish(command, &[]).await.map(drop)
    }

    /// Returns what a work tree holds that a commit does not, as that account's git says; empty if nothing.
    pub(super) async fn diff(&self, worktree: &Path, base: &str, objects: &Path) -> Result<Vec<u8>, String> {
        let arguments = [worktree.display().to_string(), base.to_owned(), objects.display().to_string()];
        self.said(DIFF, &arguments.each_ref().map(String::as_str), &[]).await
    }

    async fn said(&self, script: &str, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let words: Vec<&str> = ["-c", script, "sh"].into_iter().chain(arguments.iter().copied()).collect();
        finish(self.command("sh", &words), input).await
    }
}

/// Runs a command to its end and returns what it said.
async fn finish(mut command: Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let failed = |why: &dyn std::fmt::Display| format!("[jobs] as cannot be run: {why}");
    command.env_remove("HOLD_TOKEN").kill_on_drop(true).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| failed(&why))?;
    let stdin = child.stdin.take();
    let feed = async {
        if let Some(mut stdin) = stdin {
            // It need not read all of it.
            let _ = stdin.write_all(input).await;
        }
    };
    let ended = tokio::time::timeout(TIMEOUT, async { tokio::join!(feed, child.wait_with_output()).1 });
    let output = ended.await.map_err(|why| failed(&why))?.map_err(|why| failed(&why))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = holdpoint_core::text::inert_line(&String::from_utf8_lossy(&output.stderr));
    Err(failed(&format!("{}: {said}", output.status)))
}

/// Writes what a shell of the account does: takes its own file away, and becomes the agent.
fn script(env: &BTreeMap<String, Option<String>>, cwd: &Path, run: &str) -> String {
    let mut script = String::from("rm -f -- \"$0\"\n");
    for (name, value) in env {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let named = plain && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty();
        let _ = match value {
            Some(value) if named => writeln!(script, "export {name}={}", quoted(value)),
            None if named => writeln!(script, "unset {name}"),
            _ => Ok(()),
        };
    }
    let _ = writeln!(script, "export TERM=\"${{TERM:-xterm-256color}}\"");
    let _ = writeln!(script, "cd {} || exit 126", quoted(&cwd.display().to_string()));
    let _ = writeln!(script, "exec sh -c {}", quoted(run));
    script
}
