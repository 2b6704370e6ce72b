//! Runs. A repository is one of the server's machine.

use std::num::NonZeroUsize;

use holdpoint_core::run::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Bytes, HoldParams, Items, NoParams, Page, endpoints};
use crate::run::{FinishRun, ImportRuns, NewComment, NewEvidence, RunLog, ShownRun, StartRun};

endpoints! {
    "runs" {
        /// Lists runs, newest first. What a page costs does not depend on how many there are.
        LIST_RUNS = listRuns Known Get "/v1/runs"
            (ListParams, ()) => 200 Page<ShownRun>, "A page of runs";
        /// Begins a run on a repository of the server's machine: one that the settings name, unless an admin asks, or someone on
        /// that machine.
        START_RUN = startRun Starters Post "/v1/runs"
            (NoParams, StartRun) => 201 ShownRun, "The run";
        /// Returns a run, with where it stands (`standing`) and where its task does (`state`).
        GET_RUN = getRun Known Get "/v1/runs/{id}"
            (NoParams, ()) => 200 ShownRun, "The run";
        /// Proposes a change: a diff against the commit that the run starts from.
        PATCH_RUN = patchRun Known Post "/v1/runs/{id}/patch"
            (NoParams, Patch) => 200 ShownRun, "The run";
        /// Adds what a tool found. The caller has run it.
        ADD_EVIDENCE = addEvidence Known Post "/v1/runs/{id}/evidence"
            (NoParams, NewEvidence) => 200 ShownRun, "The run";
        /// Adds to what the run used up.
        ADD_USAGE = addUsage Known Post "/v1/runs/{id}/usage"
            (NoParams, Usage) => 200 ShownRun, "The run";
        /// Stores an object with the run: a plan, a tool call, context, or model settings. Returns it as it is stored.
        RECORD_OBJECT = recordObject Known Post "/v1/runs/{id}/objects"
            (NoParams, Value) => 200 Value, "The stored object";
        /// Comments on a line of a patch set. Comments become part of the guidance when the run is retried.
        COMMENT_RUN = commentRun Known Post "/v1/runs/{id}/comments"
            (NoParams, NewComment) => 200 ShownRun, "The run";
        /// Ends the work, and asks for the verdict; or gives it, where the project allows that.
        FINISH_RUN = finishRun Known Post "/v1/runs/{id}/finish"
            (NoParams, FinishRun) => 200 ShownRun, "The run";
        /// Carries out the verdict that was given on the run, now, if the process that should have done so has not. Where it
        /// cannot be done, the run that is returned says what it is asked again and why.
        CARRY_RUN = carryRun Known Post "/v1/runs/{id}/carry"
            (NoParams, ()) => 200 ShownRun, "The run";
        /// Holds until the run's verdict was carried out, or nobody is asked for one any more, or the time is up; returns the run
        /// as it stands then.
        WAIT_FOR_RUN = waitForRun Known Get "/v1/runs/{id}/wait"
            (HoldParams, ()) => 200 ShownRun, "The run: ended, or as it is when the time is up or the server stops";
        /// Begins a run that continues from the checkpoint that this one saved.
        RESUME_RUN = resumeRun Known Post "/v1/runs/{id}/resume"
            (NoParams, ()) => 200 ShownRun, "The run";
        /// Begins a run that takes back what this one committed, and asks for its verdict.
        ROLLBACK_RUN = rollbackRun Known Post "/v1/runs/{id}/rollback"
            (NoParams, ()) => 200 ShownRun, "The run";
        /// Writes all attempts at the run's task to its repository, for others to read.
        EXPORT_RUN = exportRun Known Post "/v1/runs/{id}/export"
            (NoParams, ()) => 200 Value, "What was written, and where";
        /// Brings runs here that others wrote to a repository, all or none. Only an admin, or someone on the server's machine, may.
        IMPORT_RUNS = importRuns Starters Post "/v1/imports"
            (NoParams, ImportRuns) => 200 Value, "What was imported";
        /// Returns the life of a run's task: all attempts at it, the oldest first.
        RUN_LOG = runLog Known Get "/v1/runs/{id}/log"
            (NoParams, ()) => 200 RunLog, "The attempts, and where the task stands: `items` and `state`";
        /// Returns every object of a run as git-internal writes them.
        RUN_OBJECTS = runObjects Known Get "/v1/runs/{id}/objects"
            (NoParams, ()) => 200 Items<RunObject>, "The objects";
        /// Returns the diff of a patch set, as it was recorded.
        RUN_DIFF = runDiff Known Get "/v1/runs/{id}/diff"
            (DiffParams, ()) => 200 Bytes, "The exact bytes";
        /// Returns the full output of a piece of evidence, as it was recorded.
        RUN_OUTPUT = runOutput Known Get "/v1/runs/{id}/output"
            (EvidenceParams, ()) => 200 Bytes, "The exact bytes";
    }
}

/// Which runs are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those of this project.
    pub project: Option<String>,
    /// Only attempts at this task.
    pub task: Option<String>,
    /// `newest_first` or `oldest_first`.
    pub order: Option<String>,
    /// At most how many, up to 1000.
    pub limit: Option<usize>,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// Which diff is read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct DiffParams {
    /// Which patch set, from 1; the last if none.
    #[cfg_attr(feature = "openapi", param(value_type = Option<usize>, minimum = 1))]
    pub patchset: Option<NonZeroUsize>,
    /// What it is compared with instead of its base: a run's id, and after a colon the number of one of its patch sets.
    pub against: Option<String>,
}

/// Which piece of evidence is read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct EvidenceParams {
    /// Which piece of evidence, from 1.
    pub evidence: usize,
}

/// What is sent to propose a change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RunPatch))]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// The diff, as git writes it.
    pub diff: String,
    /// Why it is right.
    #[serde(default)]
    pub rationale: Option<String>,
}

/// An object of a run, exactly as it is stored.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = Object))]
#[serde(transparent)]
pub struct RunObject(pub Box<RawValue>);
