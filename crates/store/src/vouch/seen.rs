//! What a process has seen of the log: events that were proven, and how far each stream had come.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::{Versions, Vouching};
use crate::Link;
use crate::plan::EventRow;

/// How many proven events are remembered.
const MOST: usize = 50_000;
/// Signing in changes nothing in what a person may do.
const SIGNED_IN: &str = "person:signed_in";

/// The hashes of events that were proven.
pub(super) type Proven = HashMap<i64, String>;

impl Vouching {
    /// Returns whether an event was proven before. Its body must be checked against its hash all the same.
    pub(crate) fn is_proven(&self, link: &Link) -> bool {
        self.proven().get(&link.seq) == Some(&link.hash)
    }

    /// Remembers that an event was proven.
    pub(crate) fn keep_proven(&self, link: &Link) {
        let mut proven = self.proven();
        if proven.len() >= MOST {
            proven.clear();
        }
        proven.insert(link.seq, link.hash.clone());
    }

    /// Returns whether nothing later than an event is known to have happened in its stream.
    pub fn is_newest(&self, link: &Link) -> bool {
        link.tag == SIGNED_IN || self.versions.is_newest(&link.stream, link.version)
    }

    /// Remembers how far the stream of an event has come.
    pub fn saw(&self, link: &Link) {
        self.note(&link.stream, &link.tag, link.version);
    }

    pub(super) fn note_written(&self, events: &[EventRow]) {
        for event in events {
            self.note(&event.stream, event.tag, event.version);
        }
    }

    fn note(&self, stream: &str, tag: &str, version: i64) {
        if tag != SIGNED_IN {
            self.versions.note(stream, version);
        }
    }

    /// Returns how far streams have come.
    pub(crate) fn versions(&self) -> Arc<Versions> {
        Arc::clone(&self.versions)
    }

    fn proven(&self) -> MutexGuard<'_, Proven> {
        self.proven.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
