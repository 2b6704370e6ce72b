//! What comes first: urgent before normal, someone blocked before nobody, then the longest waiting.

use holdpoint_core::Decision;

/// Puts decisions into the order in which they should be looked at.
pub(crate) fn rank(decisions: &mut [Decision]) {
    let is_nobody = |decision: &Decision| decision.owner.is_none() && decision.requested_by.is_none();
    decisions.sort_by_key(|decision| {
        (std::cmp::Reverse(decision.priority), is_nobody(decision), decision.created_at)
    });
}
