//! `hold session-host DIR`, an internal command that hosts an agent's terminal.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use holdpoint_engine::sessions;

/// Runs as the host of a session if the arguments say so.
///
/// This is checked before anything else is set up: a host is started for every agent and should be small and quick.
pub(super) fn run_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let verb = arguments.nth(1)?;
    let dir = PathBuf::from(arguments.next()?);
    let asked = verb == "session-host" && arguments.next().is_none();
    asked.then(|| sessions::host::run(&dir))
}
