//! Tasks: a decision that is waited for by asking again. Its id is the task's, so any node and any later process
//! knows it. The extension of revision 2026-07-28 and the tasks of revision 2025-11-25 word it differently.

use holdpoint_core::{Decision, DecisionId, Status};
use serde_json::{Map, Value, json};

use super::result;

/// How often a client may look.
const POLL_MS: u64 = 2_000;

/// Answers a call with a task instead of a result.
pub fn created(decision: &Decision) -> Map<String, Value> {
    let mut task = task(decision);
    task.remove("result");
    task.insert("status".to_owned(), "working".into());
    task.insert("resultType".to_owned(), "task".into());
    task
}

/// Shows a task as it stands; a settled one with the result of the call.
pub fn task(decision: &Decision) -> Map<String, Value> {
    let mut task = stands(decision);
    task.insert("ttlMs".to_owned(), Value::Null);
    task.insert("pollIntervalMs".to_owned(), POLL_MS.into());
    if task.get("status").and_then(Value::as_str) == Some("completed") {
        task.insert("result".to_owned(), Value::Object(result::of_call(decision)));
    }
    task
}

/// Says that a task goes on when the client has answered these requests.
pub fn asks(task: &mut Map<String, Value>, requests: Value) {
    task.insert("status".to_owned(), "input_required".into());
    task.insert("inputRequests".to_owned(), requests);
}

/// Answers a call with a task as revision 2025-11-25 has it.
pub fn core_created(decision: &Decision) -> Map<String, Value> {
    Map::from_iter([("task".to_owned(), Value::Object(core(decision)))])
}

/// Shows a task as revision 2025-11-25 has it; its result is asked for by another method.
pub fn core(decision: &Decision) -> Map<String, Value> {
    let mut task = stands(decision);
    task.insert("ttl".to_owned(), Value::Null);
    task.insert("pollInterval".to_owned(), POLL_MS.into());
    task
}

/// Says of a result which task it belongs to.
pub fn related(id: DecisionId, mut result: Map<String, Value>) -> Map<String, Value> {
    result.insert("_meta".to_owned(), json!({ "io.modelcontextprotocol/related-task": { "taskId": id } }));
    result
}

/// What both wordings share.
fn stands(decision: &Decision) -> Map<String, Value> {
    let updated = decision.settled_at.unwrap_or(decision.created_at);
    let status = match decision.status {
        Status::Pending => "working",
        Status::Cancelled | Status::Superseded => "cancelled",
        Status::Answered | Status::Refined | Status::TimedOut => "completed",
    };
    Map::from_iter([
        ("taskId".to_owned(), json!(decision.id)),
        ("createdAt".to_owned(), json!(decision.created_at)),
        ("lastUpdatedAt".to_owned(), json!(updated)),
        ("status".to_owned(), status.into()),
        ("statusMessage".to_owned(), result::words(decision).into()),
    ])
}
