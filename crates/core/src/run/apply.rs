//! What an event does to a run.

use serde_json::Value;

use super::{ObjectId, Run, RunStatus};
use crate::{Event, Timestamp};

/// Returns the run after an event. Events of other streams leave it unchanged.
pub fn apply(run: Option<Run>, event: &Event, at: Timestamp) -> Option<Run> {
    if let Event::RunStarted(run) = event {
        return Some((**run).clone());
    }
    if let Event::RunImported { run, .. } = event {
        return Some((**run).clone());
    }
    let mut run = run?;
    match event {
        Event::RunPatched { patchset, .. } => run.patchsets.push((**patchset).clone()),
        Event::RunEvidenced { evidence, .. } => run.evidence.push((**evidence).clone()),
        Event::RunUsed { usage, .. } => {
            let total = &mut run.usage;
            total.input_tokens = total.input_tokens.saturating_add(usage.input_tokens);
            total.output_tokens = total.output_tokens.saturating_add(usage.output_tokens);
            total.cost_micros = total.cost_micros.saturating_add(usage.cost_micros);
        }
        Event::RunRecorded { object, .. } => {
            run.recorded = run.recorded.saturating_add(1);
            run.objects.extend(object_id(object));
        }
        Event::RunCommented { comment, .. } => run.comments.push((**comment).clone()),
        Event::RunAsked { decision_id, reason, judge, .. } => {
            run.status = RunStatus::Finished;
            run.decision = Some(*decision_id);
            run.judge = *judge;
            run.trouble.clone_from(reason);
        }
        Event::RunDecided { verdict, .. } => {
            run.status = RunStatus::Decided;
            run.verdict = Some((**verdict).clone());
            run.trouble = None;
            run.decided_at = Some(at);
        }
        _ => {}
    }
    Some(run)
}

/// Returns the id in an object.
pub(super) fn object_id(object: &Value) -> Option<ObjectId> {
    object.get("object_id").and_then(Value::as_str).and_then(|id| id.parse().ok())
}
