//! The host: a small process that holds an agent's terminal. It blocks in `poll` and does nothing while nothing happens.

use std::path::Path;
use std::process::ExitCode;

/// Runs as the host of the session in a folder, until the agent and all that it started have ended. The spec comes on
/// standard input; one line on standard output says that it runs, or why not.
pub fn run(dir: &Path) -> ExitCode {
    let _ = dir;
    ExitCode::FAILURE
}
