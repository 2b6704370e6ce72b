//! Tasks: a decision that is waited for by asking again. Its id is the task's, so any node and any later process
//! knows it.

use holdpoint_core::{Decision, Status};
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
    let updated = decision.settled_at.unwrap_or(decision.created_at);
    let mut task = Map::new();
    task.insert("taskId".to_owned(), json!(decision.id));
    task.insert("createdAt".to_owned(), json!(decision.created_at));
    task.insert("lastUpdatedAt".to_owned(), json!(updated));
    task.insert("ttlMs".to_owned(), Value::Null);
    task.insert("pollIntervalMs".to_owned(), POLL_MS.into());
    let status = match decision.status {
        Status::Pending => "working",
        Status::Cancelled | Status::Superseded => "cancelled",
        Status::Answered | Status::Refined | Status::TimedOut => "completed",
    };
    task.insert("status".to_owned(), status.into());
    task.insert("statusMessage".to_owned(), result::words(decision).into());
    if status == "completed" {
        task.insert("result".to_owned(), Value::Object(result::of_call(decision)));
    }
    task
}
