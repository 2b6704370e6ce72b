//! The next signing key, kept in a file from before a rotation writes anything until all of it is done: whoever finds
//! the file, and nobody at work, finishes the rotation.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::{Key, Secret, hex, publish, random, unhex};
use crate::error::{Error, Result};
use crate::home::Home;

/// A rotation that was begun and is not finished.
#[derive(Debug)]
pub(crate) struct Rotation {
    /// The id of the key that signed before.
    pub(crate) from: String,
    /// The key that is to sign.
    pub(crate) next: Key,
    /// The id of the store whose log records the rotation.
    pub(crate) store: String,
    /// The location of that store.
    pub(crate) place: String,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Entry {
    v: u32,
    from: String,
    seed: String,
    store: String,
    place: String,
}

impl Key {
    /// Takes the right to rotate the key of this data folder; none while another process has it. It ends with the file,
    /// even if the process is killed.
    pub(crate) fn lock_rotation(&self) -> Result<Option<File>> {
        lock(&self.keys)
    }

    /// Returns whether a rotation was begun, and is not finished.
    pub(crate) fn is_rotating(&self) -> bool {
        path(&self.keys).exists()
    }

    /// Returns the rotation that was begun, if it is not finished.
    pub(crate) fn rotation(&self) -> Result<Option<Rotation>> {
        let path = path(&self.keys);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::Io { what: format!("cannot read {}", path.display()), source }),
        };
        let entry = serde_json::from_slice::<Entry>(&text).ok();
        let rotation = entry.and_then(|entry| self.rotation_of(entry));
        rotation.map(Some).ok_or_else(|| Error::Settings(format!("{} is not a signing key", path.display())))
    }

    /// Makes the key that will replace this one.
    pub(crate) fn begin_rotation(&self, store: &str, place: &str) -> Result<Rotation> {
        let (from, seed) = (self.current().id.clone(), hex(&random()?));
        let entry = Entry { v: 1, from, seed, store: store.to_owned(), place: place.to_owned() };
        let text = serde_json::to_vec(&entry).unwrap_or_default();
        Home::write_private(&path(&self.keys), &text)?;
        self.rotation_of(entry).ok_or_else(|| Error::Settings("there is no next key".into()))
    }

    fn rotation_of(&self, entry: Entry) -> Option<Rotation> {
        let Entry { from, seed, store, place, .. } = entry;
        Some(Rotation { from, next: self.with(Secret::new(&unhex::<32>(&seed)?)), store, place })
    }

    /// Publishes the next key here. From then on this key also signs what it writes, because the next one cannot check
    /// its MACs.
    pub(crate) fn publish(&self, next: &Self) -> Result<()> {
        publish(&self.keys, &next.current().public_key)?;
        self.lock().is_alone = false;
        Ok(())
    }

    /// Records that nothing of the rotation is left to do.
    pub(crate) fn end_rotation(&self) -> Result<()> {
        let path = path(&self.keys);
        std::fs::remove_file(&path).map_err(Error::io(format!("cannot remove {}", path.display())))
    }
}

fn path(keys: &Path) -> PathBuf {
    keys.join("next.key")
}

fn lock(keys: &Path) -> Result<Option<File>> {
    let path = keys.join("rotation.lock");
    let failed = || Error::io(format!("cannot lock {}", path.display()));
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(failed())?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(failed()(error.into())),
    }
}
