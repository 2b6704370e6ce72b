//! What the signer remembers of each store, in `HOLD_HOME/keys/heads`: out of reach of someone who can only write to
//! the store.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use holdpoint_store::vouch::{Identity, Remembered};
use holdpoint_store::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::home::Home;

/// A file of the memory, one per store.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    v: u32,
    /// The places where the store was seen.
    places: Vec<String>,
    #[serde(flatten)]
    remembered: Remembered,
}

/// The memory of a data folder.
#[derive(Clone, Debug)]
pub(super) struct SignerMemory {
    folder: PathBuf,
}

impl SignerMemory {
    pub(super) fn of(home: &Home) -> Self {
        Self { folder: home.keys().join("heads") }
    }

    /// Returns what is remembered of a store, or of another that was in its place.
    pub(super) fn get(&self, store: &Identity) -> Result<Option<Remembered>> {
        if let Some(entry) = self.read(&store.id)? {
            return Ok(Some(entry.remembered));
        }
        // Another store has different sequence numbers.
        Ok(self.in_place(store)?.map(|(_, entry)| Remembered { number: 0, ..entry.remembered }))
    }

    /// Remembers how far a store is vouched for, unless it is already remembered further.
    pub(super) fn put(&self, store: &Identity, remembered: &Remembered) -> Result<()> {
        Home::make_private(&self.folder).map_err(unavailable)?;
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.folder.join("lock"))
            .map_err(unavailable)?;
        // If two processes write at once, the one that is further must not be overwritten.
        rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).map_err(unavailable)?;
        let before = self.read(&store.id)?;
        let given = before.as_ref().map_or(0, |before| before.remembered.number);
        let mut remembered = remembered.clone();
        if let Some(before) = before.as_ref().filter(|before| !remembered.rises_above(&before.remembered)) {
            if remembered.number <= given {
                return Ok(());
            }
            remembered = Remembered { number: remembered.number, ..before.remembered.clone() };
        }
        remembered.number = remembered.number.max(given);
        let is_new = before.is_none();
        let mut places = before.map(|before| before.places).unwrap_or_default();
        if !places.contains(&store.place) {
            places.push(store.place.clone());
        }
        if is_new && let Some((id, mut other)) = self.in_place(store)? {
            // An admin has accepted that this store replaced the other.
            other.places.retain(|place| *place != store.place);
            self.write(&id, &other)?;
        }
        self.write(&store.id, &Entry { v: 1, places, remembered })
    }

    /// Returns the last event that is remembered of a store that was seen in a place.
    pub(super) fn last_seen_at(&self, place: &str) -> Option<i64> {
        let entries = self.ids().into_iter().filter_map(|id| self.read(&id).ok().flatten());
        let there = entries.filter(|entry| entry.places.iter().any(|known| known == place));
        there.map(|entry| entry.remembered.seq).max()
    }

    /// Lists the ids of keys that were revoked in any store that is remembered.
    pub(super) fn revoked(&self) -> Vec<String> {
        let entries = self.ids().into_iter().filter_map(|id| self.read(&id).ok().flatten());
        entries.flat_map(|entry| entry.remembered.revoked).collect()
    }

    /// Lists the ids of the remembered stores.
    fn ids(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect()
    }

    /// Finds another store that was seen in the same place.
    fn in_place(&self, store: &Identity) -> Result<Option<(String, Entry)>> {
        for id in self.ids() {
            if let Some(entry) = self.read(&id)?.filter(|entry| entry.places.contains(&store.place)) {
                return Ok(Some((id, entry)));
            }
        }
        Ok(None)
    }

    fn read(&self, id: &str) -> Result<Option<Entry>> {
        let path = self.path(id);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let damaged = |why| {
            Error::Corrupt(format!(
                "{} cannot be read ({why}); if it was lost, remove it: the store is then treated as new",
                path.display()
            ))
        };
        serde_json::from_slice(&text).map(Some).map_err(damaged)
    }

    fn write(&self, id: &str, entry: &Entry) -> Result<()> {
        let text = serde_json::to_vec(entry).unwrap_or_default();
        // Not synced: after a power cut an older head is remembered, which is less but not wrong.
        Home::replace_private(&self.path(id), &text).map_err(unavailable)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn unavailable(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("could not store what was signed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(id: &str, place: &str) -> Identity {
        Identity { id: id.into(), place: place.into() }
    }

    #[test]
    fn a_head_only_rises_and_a_place_is_not_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let memory = SignerMemory::of(&Home::at(folder.path()));
        let (here, other) = (store("store-1", "/a"), store("store-2", "/a"));
        assert_eq!(memory.get(&here).unwrap(), None);
        let at = |seq| Remembered { seq, ..Remembered::default() };
        memory.put(&here, &at(7)).unwrap();
        memory.put(&here, &at(5)).unwrap();
        assert_eq!(memory.get(&here).unwrap(), Some(at(7)));
        // A copy elsewhere is the same store; a new store in its place is checked against the old one.
        assert_eq!(memory.get(&store("store-1", "/b")).unwrap(), Some(at(7)));
        assert_eq!(memory.get(&other).unwrap(), Some(at(7)));
        assert_eq!(memory.get(&store("store-2", "/b")).unwrap(), None);
        assert_eq!((memory.last_seen_at("/a"), memory.last_seen_at("/b")), (Some(7), None));
        memory.put(&other, &Remembered { accepted_at: 9, ..at(1) }).unwrap();
        assert_eq!(memory.get(&other).unwrap().map(|remembered| remembered.seq), Some(1));
        assert_eq!(memory.get(&here).unwrap(), Some(at(7)));
        std::fs::write(folder.path().join("keys/heads/store-1.json"), "").unwrap();
        assert!(matches!(memory.get(&here), Err(Error::Corrupt(_))));
    }
}
