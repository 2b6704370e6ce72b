//! Tasks: a decision that a client polls. Its id is that of the task, so any node and any later process knows it. The
//! extension of revision 2026-07-28 and the tasks of revision 2025-11-25 have different formats.

use holdpoint_core::{Decision, DecisionId, Status};
use serde_json::{Map, Value, json};

use super::result;

/// The polling interval for clients.
const POLL_MS: u64 = 2_000;

/// Answers a call with a task instead of a result.
pub fn created(decision: &Decision) -> Map<String, Value> {
    let mut task = task(decision);
    task.remove("result");
    task.insert("status".to_owned(), "working".into());
    task.insert("resultType".to_owned(), "task".into());
    task
}

/// Returns a task in its current state; a settled one with the result of the call.
pub fn task(decision: &Decision) -> Map<String, Value> {
    let mut task = task_state(decision);
    task.insert("ttlMs".to_owned(), Value::Null);
    task.insert("pollIntervalMs".to_owned(), POLL_MS.into());
    if task.get("status").and_then(Value::as_str) == Some("completed") {
        task.insert("result".to_owned(), Value::Object(result::of_call(decision)));
    }
    task
}

/// Adds requests that the client has to answer before the task continues.
pub fn asks(task: &mut Map<String, Value>, requests: Value) {
    task.insert("status".to_owned(), "input_required".into());
    task.insert("inputRequests".to_owned(), requests);
}

/// Answers a call with a task in the format of revision 2025-11-25.
pub fn core_created(decision: &Decision) -> Map<String, Value> {
    Map::from_iter([("task".to_owned(), Value::Object(core(decision)))])
}

/// Returns a task in the format of revision 2025-11-25; its result is requested with another method.
pub fn core(decision: &Decision) -> Map<String, Value> {
    let mut task = task_state(decision);
    task.insert("ttl".to_owned(), Value::Null);
    task.insert("pollInterval".to_owned(), POLL_MS.into());
    task
}

/// Adds the id of its task to a result.
pub fn related(id: DecisionId, mut result: Map<String, Value>) -> Map<String, Value> {
    result.insert("_meta".to_owned(), json!({ "io.modelcontextprotocol/related-task": { "taskId": id } }));
    result
}

/// Returns the members common to both formats.
fn task_state(decision: &Decision) -> Map<String, Value> {
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
        ("statusMessage".to_owned(), result::describe_state(decision).into()),
    ])
}
