//! What a run is made of. All of it is immutable once recorded.

use serde::{Deserialize, Serialize};

use super::ObjectId;
use crate::{Auth, DecisionId, Timestamp};

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunTask))]
pub struct Task {
    /// Names it.
    pub id: ObjectId,
    /// A line for lists.
    pub title: String,
    /// More about it.
    pub description: Option<String>,
    /// Who made it.
    pub created_by: String,
    /// When it became known.
    pub created_at: Timestamp,
}

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Intent {
    /// Names it.
    pub id: ObjectId,
    /// In their words.
    pub prompt: String,
    /// Who said so.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

/// The run that another follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunOrigin {
    /// It tries again what that one tried.
    Retry {
        /// That one.
        run: ObjectId,
    },
    /// It goes on from what that one saved.
    Resume {
        /// That one.
        run: ObjectId,
    },
    /// It takes back what that one committed.
    Rollback {
        /// That one.
        run: ObjectId,
    },
}

/// A commit that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reverts {
    /// The run that made it.
    pub run: ObjectId,
    /// The commit.
    pub commit: String,
}

/// Bytes that are kept in the repository, under a ref of their run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// The git blob.
    pub blob: String,
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// How many there are.
    pub size: u64,
}

/// A change that a run proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PatchSet {
    /// Names it.
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
    /// Returns the number that people call it by, from 1.
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
    /// Where it is afterwards.
    pub path: String,
    /// What happens to it.
    pub change: Change,
    /// How many lines are added.
    pub added: u32,
    /// How many go.
    pub deleted: u32,
    /// Where it was before, where that is another place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its mode afterwards, as git writes it, where that was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Whether it is one of the hooks that git runs in this repository, or something that they are made of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hook: bool,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FileChange))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Change {
    Add,
    Modify,
    Delete,
    Rename,
    Copy,
}

/// What a tool found about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// Names it.
    pub id: ObjectId,
    /// The patch set it is about.
    pub patchset: Option<ObjectId>,
    /// `test`, `lint`, `build` or another word.
    pub kind: String,
    /// The tool.
    pub tool: String,
    /// What was run.
    pub command: Option<String>,
    /// How it ended; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub took_ms: Option<u64>,
    /// The end of what it said.
    pub summary: Option<String>,
    /// All that it said.
    pub log: Option<Artifact>,
    /// The verdict that it looked at, where it came after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<DecisionId>,
    /// Who recorded it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

/// What somebody says about a line of a patch set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunComment))]
pub struct Comment {
    /// Names it.
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
    /// What is said.
    pub text: String,
    /// Who says it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

/// What was used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunUsage))]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// Tokens that went in.
    pub input_tokens: u64,
    /// Tokens that came out.
    pub output_tokens: u64,
    /// What it cost, in millionths of a US dollar.
    pub cost_micros: u64,
}

/// What a verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Take a patch set over.
    Commit,
    /// Save what there is, to go on later.
    Checkpoint,
    /// Give up.
    Abandon,
    /// Try again.
    Retry,
    /// Take back what was committed.
    Rollback,
}

impl Verdict {
    /// All of them, in the order they are offered.
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

/// Who gives a verdict where no person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// A rule: what the evidence says.
    Auto,
    /// The agent that worked on the run.
    Agent,
}

impl Judge {
    /// Both of them.
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
    /// Names the record.
    pub id: ObjectId,
    /// What it says.
    pub verdict: Verdict,
    /// The patch set that was taken over.
    pub patchset: Option<ObjectId>,
    /// The commit that came of it.
    pub commit: Option<String>,
    /// Under which name progress was saved.
    pub checkpoint: Option<String>,
    /// Why, in the words of the person who decided.
    pub rationale: Option<String>,
    /// What the next attempt is to be started with.
    pub parameters: Option<String>,
    /// The decision it was given in; none if it was given elsewhere.
    pub decision: Option<DecisionId>,
    /// Who gave it, where no person was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
    /// What could not be taken back, or is worth a word.
    pub notes: Vec<String>,
    /// The run that follows.
    pub next: Option<ObjectId>,
    /// Who gave it.
    pub by: String,
    /// How surely that is known.
    pub auth: Auth,
    /// When it was given.
    pub at: Timestamp,
}
