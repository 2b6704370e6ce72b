//! How far each stream has come, as far as a process has seen: an event that was taken out of its stream is missed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::plan::stream;

/// How many streams are kept in mind before the oldest half is forgotten.
const MOST: usize = 100_000;

/// The highest version of each stream that was seen.
#[derive(Debug, Default)]
pub(super) struct Versions(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    /// Tokens and people are never forgotten: there are few, and a revocation counts for ever.
    credentials: HashMap<String, i64>,
    recent: HashMap<String, i64>,
    older: HashMap<String, i64>,
}

impl Versions {
    /// Notes that a stream has come to a version.
    pub(super) fn note(&self, stream: &str, version: i64) {
        let mut seen = self.lock();
        let known = seen.version(stream);
        if known.is_some_and(|known| known >= version) {
            return;
        }
        if stream::is_credential(stream) {
            seen.credentials.insert(stream.to_owned(), version);
            return;
        }
        if seen.recent.len() >= MOST / 2 {
            seen.older = std::mem::take(&mut seen.recent);
        }
        seen.recent.insert(stream.to_owned(), version);
    }

    /// Returns whether nothing later than a version is known to have happened in a stream.
    pub(super) fn is_newest(&self, stream: &str, version: i64) -> bool {
        self.lock().version(stream).is_none_or(|known| known <= version)
    }

    /// Forgets everything: the log is another one, and an admin said why.
    pub(super) fn forget(&self) {
        *self.lock() = Seen::default();
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn version(&self, stream: &str) -> Option<i64> {
        let maps = [&self.credentials, &self.recent, &self.older];
        maps.into_iter().find_map(|map| map.get(stream).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_last_is_kept_and_what_is_old_goes() {
        let versions = Versions::default();
        versions.note("token/1", 2);
        versions.note("first", 3);
        versions.note("first", 1);
        assert!(!versions.is_newest("first", 2) && versions.is_newest("first", 3));
        for number in 0..MOST {
            versions.note(&format!("d/{number}"), 1);
        }
        assert!(versions.is_newest("first", 0), "it is forgotten");
        assert!(!versions.is_newest(&format!("d/{}", MOST - 1), 0));
        assert!(!versions.is_newest("token/1", 1));
        versions.forget();
        assert!(versions.is_newest("token/1", 1));
    }
}
