//! The files that a session keeps in its folder.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use holdpoint_core::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The public part of a session: never its environment, which may contain secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SessionInfo {
    /// The session's name.
    pub(super) id: String,
    /// The command.
    pub(super) run: String,
    /// Where it runs.
    pub(super) cwd: PathBuf,
    /// When it was started.
    pub(super) at: Timestamp,
    /// The host process.
    pub(super) host: Process,
    /// The agent's process; none while it is being started.
    #[serde(default)]
    pub(super) agent: Option<Process>,
}

/// A process that can be recognised: ids are reused, but not with the same start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Process {
    /// Its id.
    pub(super) pid: u32,
    /// When it started, in ticks since the machine did; 0 if unknown.
    #[serde(default)]
    pub(super) start: u64,
}

pub(super) fn about(dir: &Path) -> PathBuf {
    dir.join("session.json")
}

pub(super) fn exit(dir: &Path) -> PathBuf {
    dir.join("exit.json")
}

pub(super) fn last(dir: &Path) -> PathBuf {
    dir.join("last.json")
}

pub(super) fn journal(dir: &Path) -> PathBuf {
    dir.join("journal")
}

/// Returns the path of a log file: 0 is the one being written, higher ones are older.
pub(super) fn log(dir: &Path, age: u32) -> PathBuf {
    if age == 0 { dir.join("log") } else { dir.join(format!("log.{age}")) }
}

/// Makes a folder that only this user can access.
pub(super) fn make_private(dir: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700))
}

/// Opens a file that only this user can access, for appending.
pub(super) fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

/// Reads a JSON file; none if it does not exist.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(text.trim_ascii()).map(Some).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file that can be written even if the disk is full, because its space is allocated beforehand.
#[derive(Debug)]
pub(super) struct ReservedFile {
    file: File,
    from: PathBuf,
    to: PathBuf,
}

const ROOM: usize = 512;

impl ReservedFile {
    /// Allocates the space beside the file.
    pub(super) fn new(to: PathBuf) -> io::Result<Self> {
        let from = to.with_extension("new");
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&from)?;
        file.write_all(&[b' '; ROOM])?;
        Ok(Self { file, from, to })
    }

    /// Writes into that space, and publishes the file under its name atomically.
    pub(super) fn write(&self, value: &impl Serialize) -> io::Result<()> {
        use std::os::unix::fs::FileExt as _;
        let mut text = serde_json::to_vec(value)?;
        text.resize(text.len().max(ROOM), b' ');
        self.file.write_all_at(&text, 0)?;
        self.file.sync_all()?;
        std::fs::rename(&self.from, &self.to)?;
        // This makes the name survive a power cut, too.
        self.to.parent().map_or(Ok(()), |dir| File::open(dir)?.sync_all())
    }
}

/// Writes a JSON file atomically. It does not wait for the disk: the content matters only while the machine runs, and
/// waiting would delay the start of every agent.
pub(super) fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    std::fs::rename(beside, path)
}
