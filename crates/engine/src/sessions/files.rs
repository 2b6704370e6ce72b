//! The files that a session keeps in its folder.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use holdpoint_core::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What anyone may know of a session: never its environment, which may hold secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct About {
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
    /// The agent's process; nothing while it is being started.
    #[serde(default)]
    pub(super) agent: Option<Process>,
}

/// A process that is known again: ids are reused, but not with the same start time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Process {
    /// Its id.
    pub(super) pid: u32,
    /// When it started, in ticks since the machine did; 0 where that cannot be told.
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

/// Makes a folder for this user alone.
pub(super) fn make_private(dir: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700))
}

/// Opens a file for this user alone, to write at its end.
pub(super) fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

/// Reads a file of JSON; nothing if it is not there.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(text.trim_ascii()).map(Some).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file that will be written when there may be no room left on the disk: the room is taken beforehand.
#[derive(Debug)]
pub(super) struct Reserved {
    file: File,
    from: PathBuf,
    to: PathBuf,
}

const ROOM: usize = 512;

impl Reserved {
    /// Takes the room beside the file.
    pub(super) fn new(to: PathBuf) -> io::Result<Self> {
        let from = to.with_extension("new");
        let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&from)?;
        file.write_all(&[b' '; ROOM])?;
        Ok(Self { file, from, to })
    }

    /// Writes into that room, and publishes it under its name atomically.
    pub(super) fn write(&self, value: &impl Serialize) -> io::Result<()> {
        use std::os::unix::fs::FileExt as _;
        let mut text = serde_json::to_vec(value)?;
        text.resize(text.len().max(ROOM), b' ');
        self.file.write_all_at(&text, 0)?;
        self.file.sync_all()?;
        std::fs::rename(&self.from, &self.to)?;
        // So that the name too is there after a power cut.
        self.to.parent().map_or(Ok(()), |dir| File::open(dir)?.sync_all())
    }
}

/// Writes a file of JSON atomically. It does not wait until the file is on disk: what it says matters only while the
/// machine runs, and every agent's start would wait.
pub(super) fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    std::fs::rename(beside, path)
}
