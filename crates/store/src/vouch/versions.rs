//! The latest version of each stream that a process has seen, by which it notices events that were removed from the end
//! of a stream or changed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::chain::{GENESIS, Hash};
use crate::plan::stream;

/// The maximum number of streams that are kept before the older half is dropped.
const MOST: usize = 100_000;

/// What was seen of each stream.
#[derive(Debug, Default)]
pub(super) struct Versions(Mutex<SeenStreams>);

#[derive(Debug, Default)]
struct SeenStreams {
    /// Tokens and people are never dropped: there are few, and a revocation counts forever.
    credentials: HashMap<String, KnownVersion>,
    recent: HashMap<String, KnownVersion>,
    older: HashMap<String, KnownVersion>,
}

/// The latest known version of a stream.
#[derive(Clone, Copy, Debug)]
struct KnownVersion {
    version: i64,
    /// A digest over the hashes of its events up to there; none if not all of them were seen.
    digest: Option<Hash>,
}

/// The result of comparing a stream with what was seen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamComparison {
    /// Everything that was seen is there.
    Same,
    /// The last ones are missing.
    Missing,
    /// One of them has changed.
    Changed,
}

impl Versions {
    /// Records that streams have reached versions, each by an event with a hash.
    pub(super) fn note<'a>(&self, events: impl IntoIterator<Item = (&'a str, i64, &'a Hash)>) {
        let mut seen = self.lock();
        for (stream, version, hash) in events {
            seen.note(stream, version, hash);
        }
    }

    /// Returns whether no event after a version of a stream is known.
    pub(super) fn is_newest(&self, stream: &str, version: i64) -> bool {
        self.lock().known(stream).is_none_or(|known| known.version <= version)
    }

    /// Compares the events of a stream, given by the hashes of those after a version, with what was seen.
    pub(super) fn compare(
        &self,
        stream: &str,
        after: i64,
        hashes: impl ExactSizeIterator<Item = Hash>,
    ) -> StreamComparison {
        let Some(known) = self.lock().known(stream) else { return StreamComparison::Same };
        let seen = usize::try_from(known.version - after).unwrap_or_default();
        if hashes.len() < seen {
            return StreamComparison::Missing;
        }
        match known.digest.filter(|_| after == 0) {
            Some(digest) if hashes.take(seen).fold(GENESIS, |all, hash| extend(&all, &hash)) != digest => {
                StreamComparison::Changed
            }
            _ => StreamComparison::Same,
        }
    }

    /// Drops everything, because an admin has accepted a different log.
    pub(super) fn forget(&self) {
        *self.lock() = SeenStreams::default();
    }

    fn lock(&self) -> MutexGuard<'_, SeenStreams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenStreams {
    fn note(&mut self, stream: &str, version: i64, hash: &Hash) {
        if let Some(known) = self.credentials.get_mut(stream).or_else(|| self.recent.get_mut(stream)) {
            return known.go_on(version, hash);
        }
        let mut known =
            self.older.get(stream).copied().unwrap_or(KnownVersion { version: 0, digest: Some(GENESIS) });
        known.go_on(version, hash);
        if stream::is_credential(stream) {
            self.credentials.insert(stream.to_owned(), known);
            return;
        }
        if self.recent.len() >= MOST / 2 {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(stream.to_owned(), known);
    }

    fn known(&self, stream: &str) -> Option<KnownVersion> {
        let maps = [&self.credentials, &self.recent, &self.older];
        maps.into_iter().find_map(|map| map.get(stream).copied())
    }
}

impl KnownVersion {
    /// Advances to a version by an event with a hash, if the version is later.
    fn go_on(&mut self, version: i64, hash: &Hash) {
        if version > self.version {
            let before = self.digest.filter(|_| version == self.version + 1);
            *self = Self { version, digest: before.map(|before| extend(&before, hash)) };
        }
    }
}

fn extend(digest: &Hash, hash: &Hash) -> Hash {
    Sha256::new().chain_update(digest).chain_update(hash).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_of_a_stream_is_missed_or_found_changed() {
        let versions = Versions::default();
        let compare =
            |after, hashes: &[u8]| versions.compare("d/1", after, hashes.iter().map(|byte| [*byte; 32]));
        assert_eq!(compare(0, &[]), StreamComparison::Same, "nothing was seen");
        let events = [(1, [1; 32]), (2, [2; 32]), (1, [9; 32]), (2, [9; 32])];
        versions.note(events.iter().map(|(version, hash)| ("d/1", *version, hash)));
        for same in [&[1, 2][..], &[1, 2, 3]] {
            assert_eq!(compare(0, same), StreamComparison::Same);
        }
        assert_eq!(compare(0, &[1]), StreamComparison::Missing);
        assert_eq!(compare(2, &[]), StreamComparison::Same);
        assert_eq!(compare(1, &[]), StreamComparison::Missing);
        for changed in [&[1, 9][..], &[9, 2], &[2, 1, 3]] {
            assert_eq!(compare(0, changed), StreamComparison::Changed);
        }
        versions.note([("d/1", 4, &[4; 32])]);
        assert_eq!(compare(0, &[9, 9, 9, 9]), StreamComparison::Same, "not all of it was seen");
        assert_eq!(compare(0, &[1, 2, 3]), StreamComparison::Missing);
    }

    #[test]
    fn what_was_seen_last_is_kept_and_what_is_old_goes() {
        let versions = Versions::default();
        versions.note([("token/1", 2, &GENESIS)]);
        versions.note([("first", 3, &GENESIS)]);
        versions.note([("first", 1, &GENESIS)]);
        assert!(!versions.is_newest("first", 2) && versions.is_newest("first", 3));
        for number in 0..MOST {
            versions.note([(format!("d/{number}").as_str(), 1, &GENESIS)]);
        }
        assert!(versions.is_newest("first", 0), "it is forgotten");
        assert!(!versions.is_newest(&format!("d/{}", MOST - 1), 0));
        assert!(!versions.is_newest("token/1", 1));
        versions.forget();
        assert!(versions.is_newest("token/1", 1));
    }
}
