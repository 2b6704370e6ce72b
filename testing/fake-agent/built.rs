//! Finds the fake agent for tests. It is built on first use, so that no test depends on what else was built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rustix::fs::{FlockOperation, flock};

/// Returns the path of the fake agent, building it if necessary.
pub(crate) fn fake_agent() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/fake-agent/src");
    let newest = std::fs::read_dir(&sources)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().modified().unwrap());
    let newest = newest.max().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let built = folder.join("fake-agent");
    let lock = std::fs::File::create(folder.join("fake-agent.lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    if built.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|time| time > newest) {
        return built;
    }
    let beside = folder.join("fake-agent.new");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "--crate-name", "fake_agent", "-C", "opt-level=1", "-o"]);
    let status = command.arg(&beside).arg(sources.join("main.rs")).status().unwrap();
    assert!(status.success(), "the fake agent does not build");
    // Renamed into place, so that no other process finds a partial file.
    std::fs::rename(beside, &built).unwrap();
    built
}
