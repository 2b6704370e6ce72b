//! Intents, the plans and tasks for them, and their progress.

#![expect(missing_docs, reason = "fields and variants are named as on the wire")]

use holdpoint_core::run::ObjectId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ActorRef, Header, IntegrityHash};

/// A goal of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    #[serde(flatten)]
    pub header: Header,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<ObjectId>,
    pub prompt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub analysis_context_frames: Vec<ObjectId>,
}

/// An event of an intent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntentEvent {
    #[serde(flatten)]
    pub header: Header,
    pub intent_id: ObjectId,
    pub kind: IntentEventKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_commit: Option<IntegrityHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_intent_id: Option<ObjectId>,
}

/// The kind of an event of an intent; any other word is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentEventKind {
    Analyzed,
    Completed,
    Cancelled,
    #[serde(untagged)]
    Other(String),
}

/// How an intent is to be reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    #[serde(flatten)]
    pub header: Header,
    pub intent: ObjectId,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<ObjectId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_frames: Vec<ObjectId>,
    #[serde(default)]
    pub steps: Vec<PlanStep>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    pub step_id: ObjectId,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Value>,
}

/// The progress of a plan's step in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStepEvent {
    #[serde(flatten)]
    pub header: Header,
    pub plan_id: ObjectId,
    pub step_id: ObjectId,
    pub run_id: ObjectId,
    pub status: PlanStepStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consumed_frames: Vec<ObjectId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub produced_frames: Vec<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawned_task_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Value>,
}

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStepStatus {
    Pending,
    Progressing,
    Completed,
    Failed,
    Skipped,
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    #[serde(flatten)]
    pub header: Header,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalType>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance_criteria: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requester: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin_step_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<ObjectId>,
}

/// The kind of work; anything else is `{"other": …}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalType {
    Feature,
    Bugfix,
    Refactor,
    Docs,
    Perf,
    Test,
    Chore,
    Build,
    Ci,
    Style,
    Other(String),
}

/// An event of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskEvent {
    #[serde(flatten)]
    pub header: Header,
    pub task_id: ObjectId,
    pub kind: TaskEventKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<ObjectId>,
}

/// The kind of an event of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskEventKind {
    Created,
    Running,
    Blocked,
    Done,
    Failed,
    Cancelled,
}
