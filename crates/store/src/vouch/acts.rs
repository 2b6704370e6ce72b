//! Events that change which keys or logs are trusted. They count only if the proof of their batch covers them.

use holdpoint_core::Event;

use crate::chain;
use crate::history::is_whole;
use crate::{LogRow, body};

/// Returns whether an event changes which keys or logs are trusted: it counts only if a known key vouches for it.
pub(crate) fn is_act(tag: &str) -> bool {
    matches!(tag, chain::ACCEPTED | chain::ROTATED | chain::REVOKED)
}

/// An event that changes which keys or logs are trusted.
#[derive(Debug)]
pub(crate) struct TrustChange {
    pub(crate) seq: i64,
    pub(crate) at: i64,
    pub(crate) event: Event,
}

/// The acts since the last proof.
#[derive(Debug, Default)]
pub(crate) struct TrustChanges {
    acts: Vec<TrustChange>,
    /// The hash that the next event has to follow on.
    end: String,
}

impl TrustChanges {
    /// Adds the next event, if it is an act. A proof covers the events that lead up to the last one without a break, so
    /// acts before a break are dropped.
    pub(crate) fn step(&mut self, link: &LogRow) {
        let is_act = is_act(&link.tag);
        if !is_act && self.acts.is_empty() {
            return;
        }
        let is_whole = is_whole(link);
        if !is_whole || link.prev != self.end {
            self.acts.clear();
        }
        if is_act
            && is_whole
            && let Some(event) = link.body.as_ref().and_then(|text| body::decode(&link.tag, text).ok())
        {
            self.acts.push(TrustChange { seq: link.seq, at: link.at, event });
        }
        self.end.clone_from(&link.hash);
    }

    /// Takes those that a proof covers, given the first event of its batch.
    pub(crate) fn take(&mut self, first: i64) -> Vec<TrustChange> {
        let mut acts = std::mem::take(&mut self.acts);
        acts.retain(|act| act.seq >= first);
        acts
    }
}
