//! The parts of a run. All of them are immutable once recorded.

use serde::{Deserialize, Serialize};

use super::ObjectId;
use crate::{Auth, DecisionId, Timestamp};

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunTask))]
pub struct Task {
    /// The id.
    pub id: ObjectId,
    /// A line for lists.
    pub title: String,
    /// A longer description.
    pub description: Option<String>,
    /// Who made it.
    pub created_by: String,
    /// When it was added.
    pub created_at: Timestamp,
}

/// An intent: what a person wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Intent {
    /// The id.
    pub id: ObjectId,
    /// The request, in their words.
    pub prompt: String,
    /// Who stated it.
    pub created_by: String,
    /// When it was stated.
    pub created_at: Timestamp,
}

/// The run that another follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunOrigin {
    /// It retries that run.
    Retry {
        /// That run.
        run: ObjectId,
    },
    /// It continues from what that run saved.
    Resume {
        /// That run.
        run: ObjectId,
    },
    /// It rolls back what that run committed.
    Rollback {
        /// That run.
        run: ObjectId,
    },
}

/// A commit that can be rolled back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reverts {
    /// The run that made the commit.
    pub run: ObjectId,
    /// The commit.
    pub commit: String,
}

/// Bytes that are stored in the repository, under a ref of their run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// The git blob.
    pub blob: String,
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// Their number.
    pub size: u64,
}

/// A change that a run proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PatchSet {
    /// The id.
    pub id: ObjectId,
    /// Its place among the run's, from 0.
    pub sequence: u32,
    /// The commit it applies to.
    pub base: String,
    /// The diff itself.
    pub artifact: Artifact,
    /// The files it touches.
    pub touched: Vec<Touched>,
    /// Why it is right, in the agent's words.
    pub rationale: Option<String>,
    /// Who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
}

impl PatchSet {
    /// Returns its number as shown to people, from 1.
    pub fn number(&self) -> u32 {
        self.sequence.saturating_add(1)
    }

    /// Returns the hooks of the repository that it alters.
    pub fn altered_hooks(&self) -> impl Iterator<Item = &str> {
        self.touched.iter().filter(|file| file.hook).map(|file| file.path.as_str())
    }
}

/// A file that a patch set touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TouchedFile))]
pub struct Touched {
    /// Its path afterwards.
    pub path: String,
    /// What happens to it.
    pub change: Change,
    /// How many lines are added.
    pub added: u32,
    /// How many lines are removed.
    pub deleted: u32,
    /// Its path before, if that was different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its mode afterwards, as git writes it, if that was different before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Whether it is one of the hooks that git runs in this repository, or part of one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hook: bool,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FileChange))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Change {
    Add,
    Modify,
    Delete,
    Rename,
    Copy,
}

/// A tool's finding about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// The id.
    pub id: ObjectId,
    /// The patch set it is about.
    pub patchset: Option<ObjectId>,
    /// `test`, `lint`, `build` or another word.
    pub kind: String,
    /// The tool.
    pub tool: String,
    /// The command that was run.
    pub command: Option<String>,
    /// The exit code; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub took_ms: Option<u64>,
    /// The end of its output.
    pub summary: Option<String>,
    /// Its whole output.
    pub log: Option<Artifact>,
    /// The verdict it is about, if it came after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<DecisionId>,
    /// Who recorded it.
    pub created_by: String,
    /// When it was recorded.
    pub created_at: Timestamp,
}

/// A comment on a line of a patch set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunComment))]
pub struct Comment {
    /// The id.
    pub id: ObjectId,
    /// The patch set.
    pub patchset: ObjectId,
    /// The file.
    pub path: String,
    /// The line.
    pub line: u32,
    /// Whether the line is counted before the change, not after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub before: bool,
    /// The text.
    pub text: String,
    /// Who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The resources that a run has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunUsage))]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// The cost, in millionths of a US dollar.
    pub cost_micros: u64,
}

/// The possible verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Commit a patch set.
    Commit,
    /// Save the progress, to continue later.
    Checkpoint,
    /// Give up.
    Abandon,
    /// Try again.
    Retry,
    /// Roll back what was committed.
    Rollback,
}

impl Verdict {
    /// All verdicts, in the order they are offered.
    pub const ALL: [Self; 5] = [Self::Commit, Self::Checkpoint, Self::Retry, Self::Abandon, Self::Rollback];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Checkpoint => "checkpoint",
            Self::Abandon => "abandon",
            Self::Retry => "retry",
            Self::Rollback => "rollback",
        }
    }

    /// Finds a verdict by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}

/// Who gives a verdict if no person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// A rule, from the evidence.
    Auto,
    /// The agent that worked on the run.
    Agent,
}

impl Judge {
    /// All judges.
    pub const ALL: [Self; 2] = [Self::Auto, Self::Agent];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Agent => "agent",
        }
    }

    /// Finds a judge by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|judge| judge.name() == name.trim())
    }
}

/// The verdict that ended a run, once it was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunVerdict {
    /// The id of the record.
    pub id: ObjectId,
    /// The verdict.
    pub verdict: Verdict,
    /// The patch set that was committed.
    pub patchset: Option<ObjectId>,
    /// The resulting commit.
    pub commit: Option<String>,
    /// The name under which progress was saved.
    pub checkpoint: Option<String>,
    /// The reason, in the words of the person who decided.
    pub rationale: Option<String>,
    /// The parameters for the next attempt.
    pub parameters: Option<String>,
    /// The decision it was given in; none if it was given elsewhere.
    pub decision: Option<DecisionId>,
    /// The judge that gave it, if no person was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
    /// What could not be undone, or should be noted.
    pub notes: Vec<String>,
    /// The following run.
    pub next: Option<ObjectId>,
    /// Who gave it.
    pub by: String,
    /// How surely the identity is known.
    pub auth: Auth,
    /// When it was given.
    pub at: Timestamp,
}
