//! What a process has seen of the log: proven events, and the latest version of each stream.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use super::Vouching;
use super::versions::StreamComparison;
use crate::LogRow;
use crate::chain::{Hash, unhex};
use crate::plan::EventRow;

/// How many proven events are remembered.
const MOST: usize = 50_000;
/// The maximum number of events that wait to be proven.
const MOST_UNKNOWN: usize = 10_000;
/// Sign-ins are left out, because they do not change what a person may do.
const SIGNED_IN: &str = "person:signed_in";

/// The hashes of events that were proven.
pub(super) type ProvenHashes = HashMap<i64, String>;

impl Vouching {
    /// Returns whether an event was found proven before. Its body must still be checked against its hash.
    pub(crate) fn is_proven(&self, link: &LogRow) -> bool {
        self.proven().get(&link.seq) == Some(&link.hash)
    }

    /// Records that an event was found proven.
    pub(crate) fn keep_proven(&self, link: &LogRow) {
        let mut proven = self.proven();
        if proven.len() >= MOST {
            proven.clear();
        }
        proven.insert(link.seq, link.hash.clone());
    }

    /// Returns whether no later event of its stream is known.
    pub fn is_newest(&self, link: &LogRow) -> bool {
        link.tag == SIGNED_IN || self.versions.is_newest(&link.stream, link.version)
    }

    /// Records the version of an event's stream.
    pub fn note_seen(&self, link: &LogRow) {
        if link.tag != SIGNED_IN {
            self.versions.note([(link.stream.as_str(), link.version, &hash_of(link))]);
        }
    }

    pub(super) fn note_written(&self, events: &[EventRow]) {
        let events = events.iter().filter(|event| event.tag != SIGNED_IN);
        self.versions.note(events.map(|event| (event.stream.as_str(), event.version, &event.hash)));
    }

    /// Returns whether no event after a version of a stream is known.
    pub(crate) fn has_reached(&self, stream: &str, version: i64) -> bool {
        self.versions.is_newest(stream, version)
    }

    /// Returns what is wrong with the events of a stream after a version, if this process has seen more of them, or
    /// different ones.
    pub fn compare_with_seen(&self, stream: &str, after: i64, links: &[LogRow]) -> Option<&'static str> {
        match self.versions.compare(stream, after, links.iter().map(hash_of)) {
            StreamComparison::Same => None,
            StreamComparison::Missing => Some("the last event about it is missing"),
            StreamComparison::Changed => Some("an event about it was changed"),
        }
    }

    /// Returns whether decisions may be based on the events of a stream. If signing has stopped, those from the break
    /// on must have been proven one by one; the others are collected for [`Self::take_unknown`].
    pub(crate) fn knows(&self, links: &[LogRow]) -> bool {
        self.broken().is_none_or(|fault| self.knows_from(fault.seq, links))
    }

    /// Returns whether the events of a stream that settles decisions by itself may be applied. Waiting until the log is
    /// found broken would be too late, because their effects could not be undone.
    pub(crate) fn knows_rules(&self, links: &[LogRow]) -> bool {
        if self.is_strict() { self.knows_from(0, links) } else { self.knows(links) }
    }

    fn knows_from(&self, seq: i64, links: &[LogRow]) -> bool {
        let from_there = links.iter().filter(|link| link.seq >= seq && !self.is_proven(link));
        let unknown: Vec<LogRow> = from_there.cloned().collect();
        let mut all = self.unknown();
        let room = MOST_UNKNOWN.saturating_sub(all.len());
        all.extend(unknown.iter().take(room).cloned());
        unknown.is_empty()
    }

    /// Returns the events that were needed and are not known to be proven.
    pub fn take_unknown(&self) -> Vec<LogRow> {
        std::mem::take(&mut self.unknown())
    }

    fn unknown(&self) -> MutexGuard<'_, Vec<LogRow>> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn proven(&self) -> MutexGuard<'_, ProvenHashes> {
        self.proven.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash_of(link: &LogRow) -> Hash {
    unhex(&link.hash).and_then(|hash| hash.try_into().ok()).unwrap_or_default()
}
