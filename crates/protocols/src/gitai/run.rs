//! An attempt at a task, what it made, and the verdict that ended it.

#![expect(missing_docs, reason = "fields and variants are named as on the wire")]

use holdpoint_core::run::ObjectId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ArtifactRef, Header, IntegrityHash};

/// An attempt at a task, from a commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    #[serde(flatten)]
    pub header: Header,
    pub task: ObjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<ObjectId>,
    pub commit: IntegrityHash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
}

/// The environment of a run. Others can write further keys, but not read them, so there are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    pub os: String,
    pub arch: String,
    pub cwd: String,
}

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEvent {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    pub kind: RunEventKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patchset_id: Option<ObjectId>,
}

/// The kind of an event of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEventKind {
    Created,
    Patching,
    Validating,
    Completed,
    Failed,
    Checkpointed,
}

/// The resources that a run used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunUsage {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// The model that worked, and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    pub provider: String,
    pub model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
}

/// A change that a run proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchSet {
    #[serde(flatten)]
    pub header: Header,
    pub run: ObjectId,
    pub sequence: u32,
    pub commit: IntegrityHash,
    pub format: DiffFormat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactRef>,
    #[serde(default)]
    pub touched: Vec<TouchedFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// The format of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffFormat {
    UnifiedDiff,
    GitDiff,
}

/// A file that a change touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TouchedFile {
    pub path: String,
    pub change_type: ChangeType,
    pub lines_added: u32,
    pub lines_deleted: u32,
}

/// What a change does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    Add,
    Modify,
    Delete,
    Rename,
    Copy,
}

/// The result of a tool for a run or one of its changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patchset_id: Option<ObjectId>,
    pub kind: EvidenceKind,
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report_artifacts: Vec<ArtifactRef>,
}

/// The kind of evidence; any other word is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    Test,
    Lint,
    Build,
    #[serde(untagged)]
    Other(String),
}

/// The verdict that ended a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    #[serde(flatten)]
    pub header: Header,
    pub run_id: ObjectId,
    pub decision_type: DecisionType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_patchset_id: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_commit_sha: Option<IntegrityHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// The content of a verdict; any other word is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionType {
    Commit,
    Checkpoint,
    Abandon,
    Retry,
    Rollback,
    #[serde(untagged)]
    Other(String),
}
