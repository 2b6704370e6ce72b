//! A data folder of its own, and `hold` run on it in a clean environment.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ran, Running, finish};

/// The binary under test.
pub(crate) const HOLD: &str = env!("CARGO_BIN_EXE_hold");

/// A temporary folder with a data folder in it.
pub(crate) struct Sandbox {
    folder: TempDir,
    variables: Vec<(String, String)>,
    looking: bool,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), variables: Vec::new(), looking: false }
    }

    /// From here on `hold answer` is run by a person who has looked just before: it carries the digest that the
    /// decision has.
    pub(crate) fn looking(mut self) -> Self {
        self.looking = true;
        self
    }

    /// Sets an environment variable for everything that is run from here on.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The data folder; nothing has made it yet.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.home().join("hold.db")
    }

    /// A place for files that belong to the test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path as text.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Writes the settings.
    pub(crate) fn settings(&self, text: &str) {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("config.toml"), text).unwrap();
    }

    /// Has the inbox send answers at once, unless the settings of a test say how long it holds them back.
    pub(crate) fn sends_at_once(&self) {
        let known = std::fs::read_to_string(self.home().join("config.toml")).unwrap_or_default();
        if !known.contains("undo = ") {
            self.settings(&format!("{known}\n[server]\nundo = \"0s\"\n"));
        }
    }

    /// Makes the binary known under another name to [`Sandbox::shell`].
    pub(crate) fn link(&self, name: &str) {
        let folder = self.path("bin");
        std::fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(HOLD, folder.join(name)).unwrap();
    }

    /// Writes a program that [`Sandbox::shell`] finds.
    pub(crate) fn executable(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        std::fs::create_dir_all(self.path("bin")).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Prepares any program in the clean environment.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("HOLD_HOME", self.home());
        command.env("USER", "ana").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(HOLD);
        command.args(arguments);
        if let ["answer", id, given @ ..] = arguments
            && self.looking
            && !given.contains(&"--digest")
        {
            let shown = finish(self.program(HOLD).args(["show", id, "--json"]), b"");
            if let Some(digest) = serde_json::from_str::<Value>(&shown.out)
                .ok()
                .and_then(|it| it["digest"].as_str().map(str::to_owned))
            {
                command.args(["--digest", &digest]);
            }
        }
        command
    }

    /// Runs to the end with nothing on standard input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    /// Runs to the end with a text on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
        finish(&mut self.command(arguments), input.as_ref())
    }

    /// Runs a script of the shell to its end.
    pub(crate) fn shell(&self, script: &str) -> Ran {
        finish(&mut self.script(script), b"")
    }

    /// Prepares a script of the shell, which finds what [`Sandbox::link`] made known.
    pub(crate) fn script(&self, script: &str) -> Command {
        let mut command = self.program("sh");
        let path = std::env::var("PATH").unwrap_or_default();
        command.arg("-c").arg(script).env("PATH", format!("{}:{path}", self.path("bin").display()));
        command
    }

    /// Runs, expects success, and returns standard output without the last line break.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        self.run(arguments).exits(0).out.trim_end_matches('\n').to_owned()
    }

    /// Runs, expects success, and reads standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        self.run(arguments).exits(0).json()
    }

    /// Starts and goes on; the process is killed when the handle is dropped.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Running {
        Running::start(&mut self.command(arguments))
    }

    /// Asks without holding and returns the id.
    #[track_caller]
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        self.ok(&[&["ask", "--no-wait"], arguments].concat())
    }

    /// Asks which of `a` and `b`, without holding.
    #[track_caller]
    pub(crate) fn ask_a_or_b(&self) -> String {
        self.ask(&["Which?", "-o", "a:First", "-o", "b:Second"])
    }

    /// Asks what a document says, without holding.
    #[track_caller]
    pub(crate) fn ask_document(&self, document: &Value) -> String {
        let file = self.file("document.json", document.to_string());
        self.ask(&["--file", &file])
    }

    #[track_caller]
    pub(crate) fn show(&self, id: &str) -> Value {
        self.json(&["show", id, "--json"])
    }

    /// Returns every event.
    #[track_caller]
    pub(crate) fn log(&self) -> Vec<Value> {
        let text = self.ok(&["log", "--json"]);
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the type of every event.
    #[track_caller]
    pub(crate) fn tags(&self) -> Vec<String> {
        self.log().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    /// Runs, expects a refusal with an exit code and words, and that nothing was written.
    #[track_caller]
    pub(crate) fn refuses(&self, arguments: &[&str], code: i32, words: &[&str]) -> Ran {
        self.refuses_with(arguments, "", code, words)
    }

    /// Like [`Sandbox::refuses`], with a text on standard input.
    #[track_caller]
    pub(crate) fn refuses_with(
        &self,
        arguments: &[&str],
        input: impl AsRef<[u8]>,
        code: i32,
        words: &[&str],
    ) -> Ran {
        let before = self.ok(&["log", "--json"]);
        let ran = self.run_with(arguments, input).exits(code);
        for word in words {
            assert!(ran.err.contains(word), "{arguments:?} says nothing of {word:?}:\n{ran}");
        }
        assert_eq!(ran.out, "", "{arguments:?} refuses, but prints data");
        assert_eq!(self.ok(&["log", "--json"]), before, "{arguments:?} refuses, but writes");
        ran
    }

    /// Expects that `hold doctor` finds nothing.
    #[track_caller]
    pub(crate) fn is_well(&self) {
        let ran = self.run(&["doctor"]).exits(0);
        assert!(ran.out.contains("OK"), "{ran}");
    }
}

/// Opens the store's file as another program would, to look only.
pub(crate) fn look_into(store: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open_with_flags(store, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// Says that a test could not be run here; the runner does not swallow this.
pub(crate) fn skipped(why: &str) {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED {name}: {why}");
}

/// Expects a value at a path of JSON, e.g. `/answer/by`.
#[track_caller]
pub(crate) fn at(value: &Value, pointer: &str, expected: impl Into<Value> + Debug) {
    let expected = expected.into();
    let found = value.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {value}"));
    assert_eq!(found, &expected, "at {pointer} in {value}");
}
