//! What was odd about a request, kept for the person who decides on it.

use holdpoint_core::Decision;
use holdpoint_core::decision::New;
use holdpoint_core::text::start;
use serde_json::Value;

use super::{lines, origin};
use crate::aitp::finding::Finding;

/// Under which name they are kept in a decision's origin.
const NAME: &str = "remarks";
/// How many are kept, and how much of each: a card is read by a person.
const MOST: usize = 8;
const LONGEST: usize = 300;

/// Keeps what was odd about a request with what it asks.
#[must_use]
pub fn remarked(mut new: New, remarks: &[Finding]) -> New {
    let line = |finding: &Finding| Value::from(start(&lines(std::slice::from_ref(finding)), LONGEST));
    if let Some(origin) = new.origin.as_mut().filter(|_| !remarks.is_empty()) {
        origin.extra.insert(NAME.into(), remarks.iter().take(MOST).map(line).collect());
    }
    new
}

/// Lists what was odd about the request that a decision came of.
pub fn remarks(decision: &Decision) -> Vec<&str> {
    let kept = origin(decision).and_then(|origin| origin.extra.get(NAME)).and_then(Value::as_array);
    kept.into_iter().flatten().filter_map(Value::as_str).collect()
}
