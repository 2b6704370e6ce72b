//! Runs: attempts at a task on a repository, what each made, and the one verdict that ends it.
//!
//! A run, its patch sets and its evidence never change once they are recorded; later developments are events. A [`Run`]
//! here is the result of those events; its status is never written back to its parts.

mod again;
mod apply;
mod ask;
mod command;
mod comment;
mod conclude;
mod decide;
mod finding;
mod id;
mod import;
mod judge;
mod parts;
mod standing;

use serde::{Deserialize, Serialize};

pub use again::job_of;
pub use apply::apply;
pub use command::{Conclusion, Imported, Judgement, NewRun, RunCommand};
pub use finding::{about, committed, current, ended, failed_before, failures, is_another_try, is_run_again};
pub use id::ObjectId;
pub use parts::{
    Artifact, Change, Comment, Evidence, Intent, Judge, PatchSet, Reverts, RunOrigin, RunVerdict, Task,
    Touched, Usage, Verdict,
};
pub use standing::Standing;

pub use ask::{RUN_HOOKS, is_of};
pub(crate) use ask::{carries_out, implied};
pub(crate) use decide::{admit, decide};

use crate::{DecisionId, Owner, OwnerKind, Timestamp};

/// How many patch sets one run may have.
pub const MAX_PATCHSETS: usize = 100;
/// How many pieces of evidence one run may have.
pub const MAX_EVIDENCE: usize = 1_000;
/// How many comments one run may have.
pub const MAX_COMMENTS: usize = 1_000;
/// How many other objects one run may keep.
pub const MAX_OBJECTS: usize = 10_000;
/// How many runs are imported at once.
pub const MAX_IMPORT: usize = 2_000;
/// How many files one patch set may touch.
pub const MAX_TOUCHED: usize = 10_000;
/// How many bytes one patch set may have.
pub const MAX_PATCH: u64 = 32 << 20;

/// An attempt at a task, as its events leave it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Run {
    /// The id.
    pub id: ObjectId,
    /// The project it belongs to.
    pub project: String,
    /// Its status.
    pub status: RunStatus,
    /// The task it attempts.
    pub task: Task,
    /// The reason for the task.
    pub intent: Option<Intent>,
    /// The repository, as an absolute path on the machine that works on it.
    pub repo: String,
    /// The commit it starts from.
    pub base: String,
    /// The ref that a commit goes to.
    pub branch: String,
    /// The run it follows, and how.
    pub origin: Option<RunOrigin>,
    /// The job that works on it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The commit that a rollback would undo.
    pub reverts: Option<Reverts>,
    /// What a person said should be different this time.
    pub guidance: Option<String>,
    /// The parameters it was started with.
    pub parameters: Option<String>,
    /// The patch sets it proposes, in order.
    pub patchsets: Vec<PatchSet>,
    /// The evidence about it, in order.
    pub evidence: Vec<Evidence>,
    /// Its total usage.
    pub usage: Usage,
    /// How many other objects were recorded with it; they are in the log.
    pub recorded: u32,
    /// The ids of those objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectId>,
    /// Whether it was made elsewhere and imported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported: bool,
    /// The comments on lines of its patch sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// The decision that asks for its verdict.
    pub decision: Option<DecisionId>,
    /// The judge that gave the verdict at once, if no person was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
    /// Why the verdict was asked for again, if it was.
    pub trouble: Option<String>,
    /// The verdict that ended it.
    pub verdict: Option<RunVerdict>,
    /// Who started it.
    pub created_by: String,
    /// When it was started.
    pub created_at: Timestamp,
    /// When its verdict was carried out.
    pub decided_at: Option<Timestamp>,
}

impl Run {
    /// Returns the run as an owner of decisions.
    pub fn owner(&self) -> Owner {
        owner(self.id)
    }

    /// Finds a patch set.
    pub fn patchset(&self, id: ObjectId) -> Option<&PatchSet> {
        self.patchsets.iter().find(|patchset| patchset.id == id)
    }

    /// Returns the patch set that an answer chose, by its number, or by its id as in earlier versions.
    pub fn chosen(&self, answer: &crate::Answer) -> Option<&PatchSet> {
        let named = answer.values.get("patchset")?.as_str()?;
        match named.parse::<u32>() {
            Ok(number) => self.patchsets.iter().find(|patchset| patchset.number() == number),
            Err(_) => self.patchset(named.parse().ok()?),
        }
    }
}

/// Returns a run as an owner of decisions.
pub fn owner(run: ObjectId) -> Owner {
    Owner::new(OwnerKind::Run, run.to_string())
}

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Work on it is in progress.
    Running,
    /// It waits for its verdict, or for the verdict to be carried out.
    Finished,
    /// Its verdict was carried out.
    Decided,
}

impl RunStatus {
    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Decided => "decided",
        }
    }
}
