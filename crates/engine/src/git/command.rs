//! Running git: in a clean environment, to its end, within bounds.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use holdpoint_core::Span;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::{GitError, Kind, interrupt};
use crate::group::Group;

/// How long one call may take, hooks included, unless [`TIMEOUT`] sets another.
const DEFAULT_TIMEOUT: Span = Span::from_secs(600);
/// The environment variable that sets how long one call may take.
const TIMEOUT: &str = "HOLD_GIT_TIMEOUT";
/// How much of the output of git is read.
const MOST: u64 = 256 << 20;
/// The variables of our environment that git gets: where programs, temporary files and the user's own settings are.
const KEPT: [&str; 9] = [
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];
/// Settings that must not change what is done here, nor start a program, no matter who made them. All others apply as
/// they do when a person calls git: the identity, safe folders, what is ignored and filtered, where the hooks are.
pub(crate) const SETTINGS: [&str; 19] = [
    "core.quotePath=false",
    "core.fsmonitor=false",
    // If a process holds it longer, it is reported, and waited for elsewhere.
    "core.packedRefsTimeout=300",
    "core.untrackedCache=false",
    "core.askPass=",
    "core.pager=cat",
    "core.editor=:",
    "credential.helper=",
    "color.ui=false",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.renames=true",
    "merge.conflictStyle=merge",
    "apply.whitespace=nowarn",
    "commit.gpgSign=false",
    "commit.verbose=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
];
/// The same for variables that take precedence over settings.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", ":"),
    ("GIT_SEQUENCE_EDITOR", ":"),
];

/// How git reports that it may not write.
const READ_ONLY: [&str; 5] = [
    "insufficient permission",
    "Read-only file system",
    "Permission denied",
    "Operation not permitted",
    "unable to create directory for",
];

/// How git reports that all refs are locked, if they are stored as tables.
const TABLES_LOCKED: &str = "cannot lock references";

/// A call of git.
#[derive(Debug)]
pub(super) struct GitCommand {
    folder: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(&'static str, OsString)>,
    input: Vec<u8>,
    most: u64,
    complaints: Option<Stdio>,
    /// Whether it leads its own process group, which is ended together with it.
    leads: bool,
}

/// The output of git.
#[derive(Debug)]
pub(super) struct GitOutput {
    /// The exit code; none if a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) out: Vec<u8>,
    pub(super) err: String,
}

impl GitCommand {
    pub(super) fn new(folder: &Path, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(OsString::from).collect();
        Self {
            folder: folder.to_owned(),
            arguments,
            environment: Vec::new(),
            input: Vec::new(),
            most: MOST,
            complaints: None,
            leads: false,
        }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub(super) fn input(mut self, bytes: &[u8]) -> Self {
        self.input = bytes.to_vec();
        self
    }

    /// Reads at most this many bytes and one of its output; its exit code then means nothing.
    pub(super) fn at_most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Sets where its stderr goes; then it is not part of the output.
    pub(super) fn complains_to(mut self, place: Stdio) -> Self {
        self.complaints = Some(place);
        self
    }

    /// Makes it lead its own process group: if it is ended, everything that it started ends too.
    pub(super) fn leading(mut self) -> Self {
        self.leads = true;
        self
    }

    /// Runs it, whatever its exit code.
    pub(super) async fn run(self) -> Result<GitOutput, GitError> {
        let what = self.arguments.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        if self.leads {
            unless_interrupted(&what, self.run_to_end()).await?
        } else {
            in_time(&what, self.run_to_end()).await?
        }
    }

    /// Runs it; anything but success is an error with git's message.
    pub(super) async fn done(self) -> Result<Vec<u8>, GitError> {
        let said = self.run().await?;
        if said.code == Some(0) { Ok(said.out) } else { Err(said.fault()) }
    }

    /// Runs it, and returns its output as one line.
    pub(super) async fn line(self) -> Result<String, GitError> {
        let out = self.done().await?;
        Ok(String::from_utf8_lossy(&out).trim_end_matches('\n').to_owned())
    }

    /// Starts it without waiting for it, with its stderr sent to the given place.
    pub(super) fn start(&self, complaints: Stdio) -> Result<Child, GitError> {
        let mut command = Command::new(program());
        command.current_dir(&self.folder).env_clear();
        for name in KEPT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if std::env::var_os("HOME").is_none() {
            // HOME may be unset, as in a service: without it the settings of the account are not found.
            command.envs(home().map(|home| ("HOME", home)));
        }
        command.envs(ENVIRONMENT).envs(self.environment.iter().map(|(name, value)| (name, value)));
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints).kill_on_drop(true);
        if self.leads {
            command.process_group(0);
        }
        command.spawn().map_err(|why| cannot(&why))
    }

    async fn run_to_end(mut self) -> Result<GitOutput, GitError> {
        let complaints = self.complaints.take().unwrap_or_else(Stdio::piped);
        let mut child = self.start(complaints)?;
        let mut group = Group(child.id().filter(|_| self.leads));
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let feed = async {
            if let Some(mut stdin) = stdin {
                // Git need not read all of it.
                let _ = stdin.write_all(&self.input).await;
            }
        };
        let out = async {
            let mut bytes = Vec::new();
            if let Some(stdout) = stdout {
                stdout.take(self.most + 1).read_to_end(&mut bytes).await?;
            }
            Ok::<_, std::io::Error>(bytes)
        };
        let err = async {
            let mut bytes = Vec::new();
            if let Some(stderr) = stderr {
                stderr.take(64 << 10).read_to_end(&mut bytes).await?;
            }
            Ok::<_, std::io::Error>(bytes)
        };
        let ((), out, err) = tokio::join!(feed, out, err);
        let (out, err) = (out.map_err(|why| cannot(&why))?, err.map_err(|why| cannot(&why))?);
        if out.len() as u64 > MOST {
            return Err(GitError::new(Kind::Broken, "git printed more than is read".into()));
        }
        let status = child.wait().await.map_err(|why| cannot(&why))?;
        // Processes that a hook leaves running after a normal end are meant to run on.
        group.0 = None;
        Ok(GitOutput { code: status.code(), out, err: String::from_utf8_lossy(&err).trim().to_owned() })
    }
}

impl GitOutput {
    /// Returns the error of a failed call.
    pub(super) fn fault(&self) -> GitError {
        let words = if self.err.is_empty() { "git failed and did not say why" } else { &self.err };
        if let Some(lock) = self.lock() {
            let why = format!(
                "{} is there: another git is running in the repository, or was killed and left it. If none is, remove \
                 that file",
                lock.display()
            );
            return GitError::new(Kind::Busy, why);
        }
        if words.contains(TABLES_LOCKED) {
            let why = "reftable/tables.list.lock is there in the repository: another git is running there, or was killed \
                       and left it. If none is, remove that file";
            return GitError::new(Kind::Busy, why.to_owned());
        }
        let why = if words.contains("aborted by hook") {
            format!("the repository's hook reference-transaction refused:\n{words}")
        } else if let Some((there, wanted)) = in_the_way(words) {
            let short = |name: &str| name.trim_start_matches("refs/heads/").to_owned();
            let (there, wanted) = (short(there), short(wanted));
            format!(
                "rename or delete {there} (git branch -m {there} NEW), or start the run with another --branch: git cannot have {wanted} next to it"
            )
        } else if self.cannot_write() {
            format!("the repository is read-only for this account:\n{words}")
        } else {
            words.to_owned()
        };
        GitError::new(Kind::Broken, why)
    }

    /// Returns whether the repository cannot be written to.
    pub(super) fn cannot_write(&self) -> bool {
        READ_ONLY.iter().any(|sign| self.err.contains(sign))
    }

    /// Returns the lock file that another process holds.
    pub(super) fn lock(&self) -> Option<PathBuf> {
        let (_, rest) = self.err.split_once("Unable to create '")?;
        let (lock, _) = rest.split_once(".lock': File exists")?;
        Some(PathBuf::from(format!("{lock}.lock")))
    }
}

/// Finds the existing ref that prevents another from being made, if one is a prefix of the other.
fn in_the_way(words: &str) -> Option<(&str, &str)> {
    let (before, after) = words.split_once("' exists; cannot create '")?;
    let (_, there) = before.rsplit_once('\'')?;
    Some((there, after.split('\'').next().unwrap_or_default()))
}

/// Waits for a git that leads its own process group, but not forever. If it is interrupted, everything that it started
/// ends with it.
pub(super) async fn unless_interrupted<T>(what: &str, work: impl Future<Output = T>) -> Result<T, GitError> {
    tokio::select! {
        done = in_time(what, work) => done,
        () = interrupt::interrupted() => {
            Err(GitError::new(Kind::Busy, format!("git {what} was interrupted, and ended with the hooks it ran")))
        }
    }
}

/// Waits for git, but not forever.
pub(super) async fn in_time<T>(what: &str, work: impl Future<Output = T>) -> Result<T, GitError> {
    let timeout = timeout();
    tokio::time::timeout(call_timeout(), work).await.map_err(|_| {
        let why = format!("git {what} took longer than {timeout} and was ended, with the hooks it ran");
        GitError::new(Kind::Broken, why)
    })
}

/// Returns how long one call of git may take, hooks included.
pub fn call_timeout() -> Duration {
    Duration::from_millis(timeout().as_millis().unsigned_abs())
}

/// Returns how long one call of git may take. An invalid time is ignored.
fn timeout() -> Span {
    static SAID: OnceLock<Span> = OnceLock::new();
    let read = || {
        let said = std::env::var(TIMEOUT).ok()?;
        match said.parse::<Span>() {
            Ok(span) if span.as_millis() > 0 => Some(span),
            Ok(_) => None,
            Err(why) => {
                tracing::warn!("{TIMEOUT}: {why}; using {DEFAULT_TIMEOUT}");
                None
            }
        }
    };
    *SAID.get_or_init(|| read().unwrap_or(DEFAULT_TIMEOUT))
}

/// Finds git, once. Started by its full path, it needs neither a fork of this process nor a search for each start.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let runs = |git: &PathBuf| {
            let found = std::fs::metadata(git);
            found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        let found = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        found.map(|folder| folder.join("git")).find(runs).unwrap_or_else(|| PathBuf::from("git"))
    })
}

/// Returns the home folder of this account, as the system knows it.
fn home() -> Option<&'static Path> {
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    let read = || {
        let own = rustix::process::geteuid().as_raw().to_string();
        let known = std::fs::read_to_string("/etc/passwd").ok()?;
        let mut accounts = known.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let account = accounts.find(|parts| parts.get(2) == Some(&own.as_str()))?;
        account.get(5).map(PathBuf::from).filter(|home| home.is_absolute())
    };
    HOME.get_or_init(read).as_deref()
}

fn cannot(why: &std::io::Error) -> GitError {
    GitError::new(Kind::Broken, format!("git cannot be run: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_is_told_apart() {
        let fault = |err: &str| GitOutput { code: Some(128), out: Vec::new(), err: err.into() }.fault();
        let locked = fault(
            "fatal: cannot lock ref 'refs/heads/x': Unable to create '/r/.git/refs/heads/x.lock': File exists.\n\nAnother",
        );
        assert_eq!(
            (locked.kind, locked.why.starts_with("/r/.git/refs/heads/x.lock is there")),
            (Kind::Busy, true)
        );
        let way = fault(
            "fatal: cannot lock ref 'refs/heads/holdpoint/1': 'refs/heads/holdpoint' exists; cannot create 'refs/heads/holdpoint/1'",
        );
        assert_eq!(way.kind, Kind::Broken);
        assert!(way.why.starts_with("rename or delete holdpoint (git branch -m"), "{way}");
        let denied =
            fault("error: insufficient permission for adding an object to repository database .git/objects");
        assert!(denied.why.starts_with("the repository is read-only"), "{denied}");
        let denied = fault(
            "fatal: cannot lock ref 'refs/heads/a/b': unable to create directory for .git/refs/heads/a/b",
        );
        assert!(denied.why.starts_with("the repository is read-only"), "{denied}");
        let unseen = fault("fatal: cannot lock ref 'x': unable to resolve reference 'x': Not a directory");
        assert_eq!(unseen.kind, Kind::Broken, "nobody will give way");
        let tables = fault("fatal: commit: cannot lock references");
        assert_eq!(
            (tables.kind, tables.why.starts_with("reftable/tables.list.lock is there")),
            (Kind::Busy, true)
        );
        assert!(fault("").why.contains("did not say why"));
    }
}
