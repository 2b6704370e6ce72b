//! What a process has seen of the log: events that were proven, and how far each stream had come.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use super::Vouching;
use super::versions::Compared;
use crate::Link;
use crate::chain::{Hash, unhex};
use crate::plan::EventRow;

/// How many proven events are remembered.
const MOST: usize = 50_000;
/// How many events wait to be proven at most.
const MOST_UNKNOWN: usize = 10_000;
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
        if link.tag != SIGNED_IN {
            self.versions.note([(link.stream.as_str(), link.version, &hash_of(link))]);
        }
    }

    pub(super) fn note_written(&self, events: &[EventRow]) {
        let events = events.iter().filter(|event| event.tag != SIGNED_IN);
        self.versions.note(events.map(|event| (event.stream.as_str(), event.version, &event.hash)));
    }

    /// Returns whether nothing later than a version is known to have happened in a stream.
    pub(crate) fn has_reached(&self, stream: &str, version: i64) -> bool {
        self.versions.is_newest(stream, version)
    }

    /// Says what is wrong with the events of a stream after a version, if this process has seen more of them, or others.
    pub fn misses(&self, stream: &str, after: i64, links: &[Link]) -> Option<&'static str> {
        match self.versions.compare(stream, after, links.iter().map(hash_of)) {
            Compared::Same => None,
            Compared::Missing => Some("the last event about it is missing"),
            Compared::Changed => Some("an event about it was changed"),
        }
    }

    /// Returns whether the events of a stream can be decided on. In a log that is not signed on, those from where it is broken
    /// must have been proven one by one; those that were not are left for [`Self::take_unknown`].
    pub(crate) fn knows(&self, links: &[Link]) -> bool {
        let Some(fault) = self.broken() else { return true };
        let from_there = links.iter().filter(|link| link.seq >= fault.seq && !self.is_proven(link));
        let unknown: Vec<Link> = from_there.cloned().collect();
        let mut all = self.unknown();
        let room = MOST_UNKNOWN.saturating_sub(all.len());
        all.extend(unknown.iter().take(room).cloned());
        unknown.is_empty()
    }

    /// Returns the events that were to be decided on and are not known to be proven.
    pub fn take_unknown(&self) -> Vec<Link> {
        std::mem::take(&mut self.unknown())
    }

    fn unknown(&self) -> MutexGuard<'_, Vec<Link>> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven(&self) -> MutexGuard<'_, Proven> {
        self.proven.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash_of(link: &Link) -> Hash {
    unhex(&link.hash).and_then(|hash| hash.try_into().ok()).unwrap_or_default()
}
