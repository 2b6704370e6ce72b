//! Starts the real binaries and times them from the outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use holdpoint_engine::Home;

use crate::Result;

/// The folders of the binaries and of the data.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) bin: PathBuf,
    pub(crate) folder: PathBuf,
}

impl Setup {
    /// Returns the command `hold` on a data folder; its output is discarded.
    pub(crate) fn hold(&self, home: &Home, arguments: &[&str]) -> Command {
        let mut command = quiet(&self.bin.join("hold"), arguments);
        command.env("HOLD_HOME", home.path());
        command
    }

    /// Returns the command of the minimal program that reads a row of a store.
    pub(crate) fn minimal(&self, store: &Path, row: i64) -> Command {
        let mut command = quiet(&self.bin.join("minimal"), &[]);
        command.arg(store).arg(row.to_string());
        command
    }

    /// Returns a data folder that does not exist yet.
    pub(crate) fn home(&self, name: &str) -> Home {
        Home::at(self.folder.join(name))
    }
}

/// Returns a command without input and output.
pub(crate) fn quiet(program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command to its end and returns how long that took.
pub(crate) fn time(mut command: Command) -> Result<Duration> {
    let start = Instant::now();
    let status = command.status()?;
    let took = start.elapsed();
    if status.success() { Ok(took) } else { Err(format!("{command:?} ended with {status}").into()) }
}

/// Returns the CPU time of all threads of a process, in seconds.
pub(crate) fn cpu(process: u32) -> Result<f64> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = fs::read_to_string(thread?.path().join("schedstat"))?;
        let spent = text.split_whitespace().next().ok_or("schedstat is empty")?;
        nanoseconds += spent.parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}

/// A process that is killed on drop.
#[derive(Debug)]
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
