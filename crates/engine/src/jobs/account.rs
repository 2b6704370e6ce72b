//! The account that agents run under: the server's own, or another that a command of the settings switches to.
//!
//! Such a command (`sudo -u agent --`) usually starts its program with an environment of the other account. So the
//! environment for an agent goes through a file made by that account itself, never through arguments, which others on
//! the machine can read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use holdpoint_core::text::quoted;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::sessions::Spec;

/// How long one call of the settings' command may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Makes a file that only its own account can read, and prints its path.
const KEEP: &str =
    "umask 077 && f=$(mktemp \"${TMPDIR:-/tmp}/hold-XXXXXXXXXX\") && cat >\"$f\" && printf %s \"$f\"";
/// Writes the diff between a commit and the content of a work tree, with a temporary index and object folder.
const DIFF: &str = "set -eu; cd \"$1\"; t=$(mktemp -d); trap 'rm -rf \"$t\"' EXIT; mkdir \"$t/objects\"\n\
    export GIT_INDEX_FILE=\"$t/index\" GIT_OBJECT_DIRECTORY=\"$t/objects\" GIT_ALTERNATE_OBJECT_DIRECTORIES=\"$3\"\n\
    g() { git -c safe.directory='*' -c core.quotePath=false \"$@\"; }\n\
    g read-tree \"$2\"; g add --all -- .\n\
    g diff-index --cached -p --binary --full-index -M --no-ext-diff --no-textconv \"$2\"";

/// The command of the settings that runs a program under the agents' account; empty if that is the server's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AccountCommand(pub(super) Vec<String>);

impl AccountCommand {
    /// Returns whether agents have a separate account.
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

    /// Makes a session run under that account, with its environment.
    pub(super) async fn wrap(&self, spec: &mut Spec) -> Result<(), String> {
        if !self.is_own() {
            return Ok(());
        }
        let script = script(&spec.env, &spec.cwd, &spec.run);
        let file = self.output_of(KEEP, &[], script.as_bytes()).await?;
        let file = String::from_utf8_lossy(&file).trim().to_owned();
        if !Path::new(&file).is_absolute() {
            return Err(format!("[jobs] as: it said {file:?} instead of where it keeps a file"));
        }
        let words = self.0.iter().map(String::as_str).chain(["sh", &file]);
        spec.run = format!("exec {}", words.map(quoted).collect::<Vec<_>>().join(" "));
        spec.account.clone_from(&self.0);
        // None of it is for the command that switches accounts, or for those who can inspect that command.
        spec.env.retain(|_, value| value.is_none());
        Ok(())
    }

    /// Gives a folder to that account. Only root can; otherwise the folder's own permissions must let the account in.
    pub(super) async fn take_over(&self, folder: &Path) -> Result<(), String> {
        if !self.is_own() || !rustix::process::geteuid().is_root() {
            return Ok(());
        }
        let ids = self.output_of("id -u && id -g", &[], &[]).await?;
        let ids = String::from_utf8_lossy(&ids).split_whitespace().collect::<Vec<_>>().join(":");
        let mut command = Command::new("chown");
        command.args(["-R", "-h", &ids]).arg(folder).stdout(Stdio::null());
        finish(command, &[]).await.map(drop)
    }

    /// Returns the diff between a commit and a work tree, made by that account's git; empty if there is none.
    pub(super) async fn diff(&self, worktree: &Path, base: &str, objects: &Path) -> Result<Vec<u8>, String> {
        let arguments = [worktree.display().to_string(), base.to_owned(), objects.display().to_string()];
        self.output_of(DIFF, &arguments.each_ref().map(String::as_str), &[]).await
    }

    async fn output_of(&self, script: &str, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let words: Vec<&str> = ["-c", script, "sh"].into_iter().chain(arguments.iter().copied()).collect();
        finish(self.command("sh", &words), input).await
    }
}

/// Runs a command to its end and returns its output.
async fn finish(mut command: Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let failed = |why: &dyn std::fmt::Display| format!("[jobs] as cannot be run: {why}");
    command.env_remove("HOLD_TOKEN").kill_on_drop(true).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| failed(&why))?;
    let stdin = child.stdin.take();
    let feed = async {
        if let Some(mut stdin) = stdin {
            // The command need not read all of it.
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

/// Returns the script for a shell of the account: it removes its own file, and becomes the agent.
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
