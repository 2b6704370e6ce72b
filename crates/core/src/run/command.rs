//! Commands to a run.

use serde_json::Value;

use super::{
    Comment, Evidence, Intent, Judge, ObjectId, PatchSet, Reverts, Run, RunOrigin, Task, Usage, Verdict,
};
use crate::DecisionId;

/// A command to a run. The actor and the time are added where it is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// Start it.
    Start(Box<NewRun>),
    /// Propose a change; its sequence number is assigned here.
    Patch(Box<PatchSet>),
    /// Add a tool's evidence.
    Evidence(Box<Evidence>),
    /// Add to its usage.
    Usage(Usage),
    /// Store another object with it: a plan, a tool call, a piece of context, as JSON.
    Record {
        /// The kind of object.
        kind: String,
        /// The object.
        object: Value,
    },
    /// End the work, and ask for the verdict.
    Finish {
        /// A note for the person who decides.
        message: Option<String>,
        /// The assignees; anyone if empty.
        assignees: Vec<String>,
        /// The work items that are blocked until the verdict.
        blocks: Vec<String>,
    },
    /// End the work with a verdict without a person, if the project allows it.
    Judge(Box<Judgement>),
    /// Comment on a line of a patch set.
    Comment(Box<Comment>),
    /// Import runs that were made elsewhere, all or none.
    Import(Vec<Imported>),
    /// Record that the verdict was carried out.
    Conclude(Box<Conclusion>),
    /// Record that the verdict could not be carried out, and ask again.
    Fail {
        /// The decision that gave the verdict.
        decision: DecisionId,
        /// What went wrong.
        reason: String,
        /// The work items that are blocked until the verdict.
        blocks: Vec<String>,
    },
}

/// A request to start a run.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// The task to attempt.
    pub task: Task,
    /// The reason for it.
    pub intent: Option<Intent>,
    /// The repository.
    pub repo: String,
    /// The commit to start from.
    pub base: String,
    /// The ref that a commit goes to.
    pub branch: String,
    /// The run it follows.
    pub origin: Option<RunOrigin>,
    /// The commit that a rollback would undo.
    pub reverts: Option<Reverts>,
    /// What should be different this time.
    pub guidance: Option<String>,
    /// The parameters it is started with.
    pub parameters: Option<String>,
    /// The job that works on it.
    pub job: Option<String>,
    /// The saved state it continues from, as its first patch set.
    pub saved: Option<Box<PatchSet>>,
}

/// A run that was made elsewhere, to be imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The run.
    pub run: Run,
    /// The objects it was read from, as JSON.
    pub objects: Vec<Value>,
}

/// A verdict given without a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Who gives it.
    pub judge: Judge,
    /// The verdict; none for the rule, which derives it.
    pub verdict: Option<Verdict>,
    /// The patch set to commit; the last if none.
    pub patchset: Option<ObjectId>,
    /// The parameters for the next attempt.
    pub parameters: Option<String>,
    /// The reason.
    pub rationale: Option<String>,
}

/// The outcome of carrying out a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The id of the record.
    pub id: ObjectId,
    /// The decision that gave the verdict.
    pub decision: DecisionId,
    /// The verdict.
    pub verdict: Verdict,
    /// The resulting commit.
    pub commit: Option<String>,
    /// The name under which progress was saved.
    pub checkpoint: Option<String>,
    /// What could not be undone, or should be noted.
    pub notes: Vec<String>,
    /// The following run: its id, and the commit it starts from.
    pub next: Option<(ObjectId, String)>,
    /// The job that worked on the run, which a retry starts again.
    pub job: Option<String>,
}
