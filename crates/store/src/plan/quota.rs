//! Compares what a credential has pending with its quota.

use holdpoint_core::{Event, Refusal};

use super::record::Recordable;
use super::{Snapshot, Usage, Writes};
use crate::Submission;

/// Refuses a submission that would exceed the quota. One that does not add to the usage is not refused.
pub(super) fn check(
    snapshot: &Snapshot,
    writes: &Writes,
    submission: &Submission,
    recordable: &Recordable,
) -> Result<(), Refusal> {
    let (Some(quota), Some(credential)) = (submission.quota, submission.actor.credential.as_deref()) else {
        return Ok(());
    };
    let mut change = Usage::default();
    for (event, body) in recordable.events() {
        let bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
        match event {
            Event::Created(decision) if decision.asked_with.as_deref() == Some(credential) => {
                change += Usage { decisions: 1, bytes };
            }
            Event::Revised(_) => change += Usage { decisions: 0, bytes },
            Event::Superseded { id, .. } => {
                let before = snapshot.decision(snapshot.numbering().number(*id));
                if let Some((_, usage)) = before.and_then(|stored| stored.usage()) {
                    change += Usage { decisions: -usage.decisions, bytes: -usage.bytes };
                }
            }
            _ => {}
        }
    }
    let mut after = snapshot.usage(credential);
    after += writes.usage.get(credential).copied().unwrap_or_default();
    after += change;
    let exceeds = |change: i64, after: i64, most: u64| {
        change > 0 && u64::try_from(after).is_ok_and(|after| after > most)
    };
    if exceeds(change.decisions, after.decisions, quota.decisions) {
        return Err(Refusal::Quota { what: "decisions", most: quota.decisions });
    }
    if exceeds(change.bytes, after.bytes, quota.bytes) {
        return Err(Refusal::Quota { what: "bytes", most: quota.bytes });
    }
    Ok(())
}
