//! A temporary folder, removed when it is no longer used, or by the next process if its maker is gone.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use super::{GitError, Kind};

/// How the names of these folders begin.
const PREFIX: &str = "holdpoint-";
/// The file in the folder that its maker keeps locked as long as it lives.
const LOCK: &str = "lock";
/// The name of the work tree in the folder in earlier versions. Now it has the name of its folder, under which git
/// records it, so even a partial one is known as ours.
const TREE: &str = "tree";
/// The age below which one without a lock is left alone: earlier versions made no lock.
const OLD: Duration = Duration::from_secs(60 * 60);

/// How long a folder must have been unchanged before it may be removed.
const STILL: Duration = Duration::from_secs(60);

/// A temporary folder.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Open as long as the folder is used; no started program inherits it.
    _lock: File,
}

impl Scratch {
    pub(super) fn new() -> Result<Self, GitError> {
        let cannot =
            |why: String| GitError::new(Kind::Broken, format!("no temporary folder can be made: {why}"));
        let chance = getrandom::u64().map_err(|why| cannot(why.to_string()))?;
        let path = std::env::temp_dir().join(format!("{PREFIX}{chance:016x}"));
        std::fs::DirBuilder::new().mode(0o700).create(&path).map_err(|why| cannot(why.to_string()))?;
        let mut options = std::fs::OpenOptions::new();
        let lock = options.write(true).create_new(true).mode(0o600).open(path.join(LOCK));
        let lock = lock.map_err(|why| cannot(why.to_string()))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|why| cannot(why.to_string()))?;
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn index(&self) -> PathBuf {
        self.path.join("index")
    }

    pub(super) fn tree(&self) -> PathBuf {
        self.path.join(self.path.file_name().unwrap_or(std::ffi::OsStr::new(TREE)))
    }

    /// Makes a folder for objects that may not be wanted after all, beside those of a repository.
    pub(super) fn objects_beside(&self, common: &Path) -> Result<PathBuf, GitError> {
        let objects = self.path.join("objects");
        let made = std::fs::create_dir_all(objects.join("info")).and_then(|()| {
            let mut line = common.join("objects").into_os_string().into_encoded_bytes();
            line.push(b'\n');
            std::fs::write(objects.join("info/alternates"), line)
        });
        made.map_err(|why| GitError::new(Kind::Broken, format!("no temporary folder can be made: {why}")))?;
        Ok(objects)
    }

    /// Returns where git writes its trace.
    pub(super) fn trace(&self) -> PathBuf {
        self.path.join("trace")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders that killed processes of this user left, once per process. Those with a work tree in them are
/// left to their repository.
pub(super) fn sweep() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        let entries = std::fs::read_dir(std::env::temp_dir());
        for folder in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            if is_named_so(&folder) && is_still(&folder) && !has_tree(&folder) && is_left(&folder) {
                let _ = std::fs::remove_dir_all(&folder);
            }
        }
    });
}

/// Returns the folder that contains a work tree of ours, by its name.
pub(super) fn ours(place: &Path) -> Option<&Path> {
    let (folder, name) = (place.parent()?, place.file_name()?);
    (is_named_so(folder) && (name == TREE || folder.file_name() == Some(name))).then_some(folder)
}

/// Returns the path of a folder of ours with this name, if this account makes such folders now.
pub(super) fn place_of(name: &std::ffi::OsStr) -> PathBuf {
    std::env::temp_dir().join(name)
}

fn has_tree(folder: &Path) -> bool {
    folder.join(TREE).exists() || folder.file_name().is_some_and(|name| folder.join(name).exists())
}

pub(super) fn is_named_so(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.strip_prefix(PREFIX))
        .is_some_and(|chance| chance.len() == 16 && chance.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns whether a folder is this user's and has not changed lately: one that is just being made has no lock yet.
fn is_still(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    std::fs::symlink_metadata(folder).is_ok_and(|found| {
        let age = found.modified().ok().and_then(|at| at.elapsed().ok());
        found.is_dir() && found.uid() == user && age.is_some_and(|age| age > STILL)
    })
}

/// Returns whether the process that made a folder is gone.
pub(super) fn is_left(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok(),
        Err(_) => match std::fs::symlink_metadata(folder) {
            Ok(_) => is_left_alone(folder),
            Err(why) => why.kind() == std::io::ErrorKind::NotFound,
        },
    }
}

/// Returns whether something without a lock has not changed for so long that its maker must be gone.
pub(super) fn is_left_alone(place: &Path) -> bool {
    let at = std::fs::symlink_metadata(place).and_then(|found| found.modified());
    at.ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > OLD)
}
