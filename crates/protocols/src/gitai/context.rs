//! What a run was given to work with, and which tools it used.

#![expect(missing_docs, reason = "fields and variants are named as on the wire")]

use holdpoint_core::run::ObjectId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ArtifactRef, Header, ObjectHash};

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolInvocation {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    pub tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_footprint: Option<IoFootprint>,
    #[serde(default)]
    pub args: Value,
    pub status: ToolStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_summary: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRef>,
}

/// What a tool read and wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IoFootprint {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths_read: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths_written: Vec<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    Ok,
    Error,
}

/// The context that was selected for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextSnapshot {
    #[serde(flatten)]
    pub header: Header,
    pub selection_strategy: SelectionStrategy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ContextItem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// How the selection was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionStrategy {
    Explicit,
    Heuristic,
}

/// A thing that was selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextItem {
    pub kind: ContextItemKind,
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ObjectHash>,
}

/// What was selected; anything else is `{"other": …}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextItemKind {
    File,
    Url,
    Snippet,
    Command,
    Image,
    Other(String),
}

/// A piece of context for work on an intent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextFrame {
    #[serde(flatten)]
    pub header: Header,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<ObjectId>,
    pub kind: FrameKind,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_estimate: Option<u64>,
}

/// What a piece is about; anything else is `{"other": …}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameKind {
    IntentAnalysis,
    StepSummary,
    CodeChange,
    SystemState,
    ErrorRecovery,
    Checkpoint,
    ToolCall,
    Other(String),
}
