//! A folder of our own, gone when it is no longer used.

use std::path::{Path, PathBuf};

use super::{Fault, Kind};

/// A folder of our own.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Result<Self, Fault> {
        use std::os::unix::fs::DirBuilderExt as _;
        let cannot =
            |why: String| Fault::new(Kind::Broken, format!("no temporary folder can be made: {why}"));
        let chance = getrandom::u64().map_err(|why| cannot(why.to_string()))?;
        let path = std::env::temp_dir().join(format!("holdpoint-{chance:016x}"));
        std::fs::DirBuilder::new().mode(0o700).create(&path).map_err(|why| cannot(why.to_string()))?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn index(&self) -> PathBuf {
        self.0.join("index")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
