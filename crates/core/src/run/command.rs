//! What is asked of a run.

use serde_json::Value;

use super::{
    Comment, Evidence, Intent, Judge, ObjectId, PatchSet, Reverts, Run, RunOrigin, Task, Usage, Verdict,
};
use crate::DecisionId;

/// What is asked of a run. Who asks and when is filled in where it is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// Begin it.
    Start(Box<NewRun>),
    /// Propose a change; its place among the others is found here.
    Patch(Box<PatchSet>),
    /// Add what a tool found.
    Evidence(Box<Evidence>),
    /// Add to what it used up.
    Usage(Usage),
    /// Keep another object with it: a plan, a tool call, a piece of context, as JSON.
    Record {
        /// What it is.
        kind: String,
        /// The object.
        object: Value,
    },
    /// End the work, and ask for the verdict.
    Finish {
        /// A note for the person who decides.
        message: Option<String>,
        /// Who is asked; anyone if empty.
        assignees: Vec<String>,
        /// The work items that wait for the verdict.
        blocks: Vec<String>,
    },
    /// End the work with a verdict that nobody is asked for, where the project allows it.
    Judge(Box<Judgement>),
    /// Say something about a line of a patch set.
    Comment(Box<Comment>),
    /// Take runs over that were made elsewhere, all or none.
    Import(Vec<Imported>),
    /// Record that the verdict was carried out.
    Conclude(Box<Conclusion>),
    /// Record that the verdict could not be carried out, and ask again.
    Fail {
        /// The decision that gave it.
        decision: DecisionId,
        /// What stood in the way.
        reason: String,
        /// The work items that wait for the verdict.
        blocks: Vec<String>,
    },
}

/// What a run is begun with.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// What is attempted.
    pub task: Task,
    /// Why.
    pub intent: Option<Intent>,
    /// The repository.
    pub repo: String,
    /// The commit to start from.
    pub base: String,
    /// The ref that a commit is put on.
    pub branch: String,
    /// The run it follows.
    pub origin: Option<RunOrigin>,
    /// What a rollback would take back.
    pub reverts: Option<Reverts>,
    /// What should be different this time.
    pub guidance: Option<String>,
    /// With what it is started.
    pub parameters: Option<String>,
    /// The job that works on it.
    pub job: Option<String>,
    /// What it goes on from, as its first patch set.
    pub saved: Option<Box<PatchSet>>,
}

/// A run that was made elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// As it stands.
    pub run: Run,
    /// Everything it was read from, as JSON.
    pub objects: Vec<Value>,
}

/// A verdict that nobody is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Who gives it.
    pub judge: Judge,
    /// What it says; the rule finds out by itself.
    pub verdict: Option<Verdict>,
    /// The patch set to take over; the last if none.
    pub patchset: Option<ObjectId>,
    /// What the next attempt is to be started with.
    pub parameters: Option<String>,
    /// Why.
    pub rationale: Option<String>,
}

/// The outcome of carrying out a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// Names the record.
    pub id: ObjectId,
    /// The decision that gave the verdict.
    pub decision: DecisionId,
    /// What was done.
    pub verdict: Verdict,
    /// The commit that came of it.
    pub commit: Option<String>,
    /// Under which name progress was saved.
    pub checkpoint: Option<String>,
    /// What could not be taken back, or is worth a word.
    pub notes: Vec<String>,
    /// The run that follows: its id, and the commit it starts from.
    pub next: Option<(ObjectId, String)>,
    /// The job that worked on the run, which a retry starts again.
    pub job: Option<String>,
}
