//! What a process knows of the events about tokens and people: those that were proven, and how far each stream had come.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use super::Vouching;
use crate::Link;
use crate::plan::{EventRow, stream};

/// How many proven events are remembered.
const MOST: usize = 50_000;
/// Signing in changes nothing in what a person may do.
const SIGNED_IN: &str = "person:signed_in";

/// What is known.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The hashes of events that were proven.
    proven: HashMap<i64, String>,
    /// The highest version of each stream that was seen.
    versions: HashMap<String, i64>,
}

impl Vouching {
    /// Returns whether an event was proven before. Its body must be checked against its hash all the same.
    pub(crate) fn is_proven(&self, link: &Link) -> bool {
        self.known().proven.get(&link.seq) == Some(&link.hash)
    }

    /// Remembers that an event was proven.
    pub(crate) fn keep_proven(&self, link: &Link) {
        let mut known = self.known();
        if known.proven.len() >= MOST {
            known.proven.clear();
        }
        known.proven.insert(link.seq, link.hash.clone());
    }

    /// Returns whether nothing later than an event is known to have happened to its credential.
    pub(crate) fn is_newest(&self, link: &Link) -> bool {
        link.tag == SIGNED_IN
            || self.known().versions.get(&link.stream).is_none_or(|version| *version <= link.version)
    }

    /// Remembers how far the credential has come that an event is about.
    pub fn saw(&self, link: &Link) {
        self.note(&link.stream, &link.tag, link.version);
    }

    pub(super) fn note_written(&self, events: &[EventRow]) {
        for event in events {
            self.note(&event.stream, event.tag, event.version);
        }
    }

    fn note(&self, stream: &str, tag: &str, version: i64) {
        if stream::is_credential(stream) && tag != SIGNED_IN {
            let mut known = self.known();
            let last = known.versions.entry(stream.to_owned()).or_default();
            *last = version.max(*last);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
