//! The data folder: where it is and what is in it.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The data folder, `HOLD_HOME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home(PathBuf);

impl Home {
    /// Finds the data folder from the environment: `HOLD_HOME`, else `holdpoint` in the XDG state folder.
    pub fn find(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Self> {
        let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(home) = path("HOLD_HOME") {
            return std::path::absolute(&home)
                .map(Self)
                .map_err(Error::io(format!("HOLD_HOME {}", home.display())));
        }
        let state = path("XDG_STATE_HOME").filter(|state| state.is_absolute());
        let state = state.or_else(|| path("HOME").map(|home| home.join(".local/state")));
        state.map(|state| Self(state.join("holdpoint"))).ok_or_else(|| {
            Error::Settings(
                "set HOLD_HOME: neither it nor HOME is set, so there is no place for decisions".into(),
            )
        })
    }

    /// Uses a folder as the data folder.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns where the embedded store is, unless `HOLD_STORE` names another.
    pub fn store(&self) -> PathBuf {
        self.0.join("hold.db")
    }

    /// Returns where settings are read from.
    pub fn config(&self) -> PathBuf {
        self.0.join("config.toml")
    }

    /// Returns where keys are kept.
    pub fn keys(&self) -> PathBuf {
        self.0.join("keys")
    }

    /// Returns where `hold check` remembers what an agent has seen.
    pub fn seen(&self) -> PathBuf {
        self.0.join("seen")
    }

    /// Returns where the command line remembers which decisions each terminal has shown.
    pub fn terminals(&self) -> PathBuf {
        self.0.join("terminals")
    }

    /// Makes a folder that only its owner can read, and those above it.
    pub fn make_private(path: &Path) -> Result<()> {
        let failed =
            |source| Error::Io { what: format!("cannot make the folder {}", path.display()), source };
        if path.is_dir() {
            return Ok(());
        }
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed)
    }

    /// Writes a file that only its owner can read; a reader sees the old or the new content, never half.
    pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
        let staged = stage(path, content, Flush::Yes)?;
        std::fs::rename(&staged, path).map_err(Error::io(format!("cannot write {}", path.display())))
    }

    /// Like [`Home::write_private`], but does not wait for the disk: after a power cut the old content may be back.
    pub fn replace_private(path: &Path, content: &[u8]) -> Result<()> {
        let staged = stage(path, content, Flush::No)?;
        std::fs::rename(&staged, path).map_err(Error::io(format!("cannot write {}", path.display())))
    }

    /// Like [`Home::write_private`], but keeps an existing file. Returns whether it wrote.
    pub fn write_private_once(path: &Path, content: &[u8]) -> Result<bool> {
        let staged = stage(path, content, Flush::Yes)?;
        let linked = std::fs::hard_link(&staged, path);
        let _ = std::fs::remove_file(&staged);
        match linked {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(source) => Err(Error::Io { what: format!("cannot write {}", path.display()), source }),
        }
    }
}

/// Whether a file is flushed to disk before it replaces another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flush {
    Yes,
    No,
}

fn stage(path: &Path, content: &[u8], sync: Flush) -> Result<PathBuf> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let failed = || Error::io(format!("cannot write {}", path.display()));
    if let Some(folder) = path.parent() {
        Home::make_private(folder)?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let staged = PathBuf::from(name);
    let mut options = std::fs::OpenOptions::new();
    let mut file =
        options.write(true).create(true).truncate(true).mode(0o600).open(&staged).map_err(failed())?;
    file.write_all(content).map_err(failed())?;
    if sync == Flush::Yes {
        file.sync_all().map_err(failed())?;
    }
    Ok(staged)
}
