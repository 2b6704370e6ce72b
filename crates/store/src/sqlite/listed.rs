//! Pending decisions that were listed a moment ago: the next list reads only which there are, and what changed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::Decision;

use crate::SharedDecision;

/// How many decisions are kept.
const MOST: usize = 1_024;
/// Longer ones are read each time.
const SHORT: usize = 8 << 10;
/// How long one is kept. A changed decision has another version, so this matters only for rows that are changed without
/// a command, as by a repair.
const FRESH: Duration = Duration::from_secs(10);

/// Decisions that were listed, by row number.
#[derive(Debug, Default)]
pub(super) struct Listed(Mutex<HashMap<i64, Kept>>);

#[derive(Debug)]
struct Kept {
    version: i64,
    read_at: Instant,
    decision: SharedDecision,
    bytes: usize,
}

impl Listed {
    /// Returns a decision, and how long its text is, if it was read a moment ago in this version, asking the same.
    pub(super) fn get(&self, number: i64, version: i64, digest: &str) -> Option<(SharedDecision, usize)> {
        let all = self.all();
        let is_current = |kept: &&Kept| {
            kept.version == version && kept.decision.digest == digest && kept.read_at.elapsed() < FRESH
        };
        all.get(&number).filter(is_current).map(|kept| (kept.decision.clone(), kept.bytes))
    }

    /// Keeps a decision that was just read, unless it is long.
    pub(super) fn put(&self, number: i64, version: i64, decision: Decision, bytes: usize) -> SharedDecision {
        let decision = SharedDecision::new(decision);
        if bytes <= SHORT {
            let kept = Kept { version, read_at: Instant::now(), decision: decision.clone(), bytes };
            let mut all = self.all();
            if all.len() >= MOST {
                all.clear();
            }
            all.insert(number, kept);
        }
        decision
    }

    fn all(&self) -> MutexGuard<'_, HashMap<i64, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
