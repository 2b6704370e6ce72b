//! Runs, from this process or over HTTP.

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::Run;
use holdpoint_core::run::Usage;
use holdpoint_store::RunQuery;

use super::Embedded;
use crate::error::Result;
use crate::run::{
    FinishRun, ImportRuns, NewComment, NewEvidence, PatchFrom, RunList, RunLog, RunPart, ShownRun, StartRun,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The operations on runs. A run is named by its id, or the start or end of one.
#[async_trait]
pub trait Runs: Send + Sync {
    /// Begins a run.
    async fn start_run(&self, start: StartRun) -> Result<ShownRun>;

    /// Returns a run, with its state and that of its task.
    async fn run(&self, id: &str) -> Result<ShownRun>;

    /// Lists runs. The cost of a page does not depend on how many runs there are.
    async fn runs(&self, query: &RunQuery) -> Result<RunList>;

    /// Returns the history of a run's task: all attempts at it, and its state.
    async fn run_log(&self, id: &str) -> Result<RunLog>;

    /// Proposes a change.
    async fn patch_run(&self, id: &str, diff: Vec<u8>, rationale: Option<String>) -> Result<ShownRun>;

    /// Adds evidence; `said` is the full output of the tool.
    async fn add_evidence(&self, id: &str, new: NewEvidence, said: Option<Vec<u8>>) -> Result<ShownRun>;

    /// Adds to the usage of the run.
    async fn use_in_run(&self, id: &str, usage: Usage) -> Result<ShownRun>;

    /// Adds another object to the run; returns it as stored.
    async fn record_in_run(&self, id: &str, object: Value) -> Result<Value>;

    /// Comments on a line of a patch set.
    async fn comment_run(&self, id: &str, new: NewComment) -> Result<ShownRun>;

    /// Ends the work, and asks for the verdict or gives it.
    async fn finish_run(&self, id: &str, finish: FinishRun) -> Result<ShownRun>;

    /// Holds until the verdict on a run was carried out, it no longer waits for one, or the time is up.
    async fn wait_run(&self, id: &str, timeout: Option<Duration>) -> Result<ShownRun>;

    /// Carries out the verdict that was given on a run, if the process that should have done so has not.
    async fn carry_run(&self, id: &str) -> Result<ShownRun>;

    /// Begins a run that continues from what another saved.
    async fn resume_run(&self, id: &str) -> Result<ShownRun>;

    /// Begins a run that reverts what another committed, and asks for its verdict.
    async fn rollback_run(&self, id: &str) -> Result<ShownRun>;

    /// Returns bytes that belong to a run.
    async fn run_part(&self, id: &str, part: RunPart) -> Result<Vec<u8>>;

    /// Returns every object of a run, exactly as stored.
    async fn run_objects(&self, id: &str) -> Result<Vec<Box<RawValue>>>;

    /// Writes all attempts at a run's task to its repository for others; returns what was written.
    async fn export_run(&self, id: &str) -> Result<Value>;

    /// Imports the runs on a ref of a repository; returns what was imported.
    async fn import_runs(&self, import: ImportRuns) -> Result<Value>;
}

#[async_trait]
impl Runs for Embedded {
    async fn start_run(&self, start: StartRun) -> Result<ShownRun> {
        let run = self.engine().start_run(self.caller(), start).await?;
        self.engine().seen_run(run).await
    }

    async fn run(&self, id: &str) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        self.engine().seen_whole(self.caller(), &run).await
    }

    async fn runs(&self, query: &RunQuery) -> Result<RunList> {
        self.engine().list_runs(self.caller(), query).await
    }

    async fn run_log(&self, id: &str) -> Result<RunLog> {
        let run = self.named_run(id).await?;
        self.engine().run_log(self.caller(), &run).await
    }

    async fn wait_run(&self, id: &str, timeout: Option<Duration>) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        self.engine().wait_for_run(self.caller(), run.id, timeout).await
    }

    async fn carry_run(&self, id: &str) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        self.engine().carry_run(self.caller(), &run).await
    }

    async fn patch_run(&self, id: &str, diff: Vec<u8>, rationale: Option<String>) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().patch_run(self.caller(), &run, PatchFrom::Bytes(diff), rationale).await?;
        self.engine().seen_run(run).await
    }

    async fn add_evidence(&self, id: &str, new: NewEvidence, said: Option<Vec<u8>>) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().add_evidence(self.caller(), &run, new, said.as_deref()).await?;
        self.engine().seen_run(run).await
    }

    async fn use_in_run(&self, id: &str, usage: Usage) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().use_in_run(self.caller(), &run, usage).await?;
        self.engine().seen_run(run).await
    }

    async fn record_in_run(&self, id: &str, object: Value) -> Result<Value> {
        let run = self.named_run(id).await?;
        Ok(self.engine().record_in_run(self.caller(), &run, &object).await?.1)
    }

    async fn comment_run(&self, id: &str, new: NewComment) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().comment_run(self.caller(), &run, new).await?;
        self.engine().seen_run(run).await
    }

    async fn finish_run(&self, id: &str, finish: FinishRun) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().finish_run(self.caller(), &run, finish).await?;
        self.engine().seen_run(run).await
    }

    async fn resume_run(&self, id: &str) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().resume_run(self.caller(), &run).await?;
        self.engine().seen_run(run).await
    }

    async fn rollback_run(&self, id: &str) -> Result<ShownRun> {
        let run = self.named_run(id).await?;
        let run = self.engine().rollback_run(self.caller(), &run).await?;
        self.engine().seen_run(run).await
    }

    async fn run_part(&self, id: &str, part: RunPart) -> Result<Vec<u8>> {
        let run = self.named_run(id).await?;
        self.engine().run_part(self.caller(), &run, part).await
    }

    async fn run_objects(&self, id: &str) -> Result<Vec<Box<RawValue>>> {
        let run = self.named_run(id).await?;
        let objects = self.engine().run_objects(&run).await?;
        let raw = |text: String| RawValue::from_string(text).ok();
        Ok(objects.iter().filter_map(|object| object.text().ok().and_then(raw)).collect())
    }

    async fn export_run(&self, id: &str) -> Result<Value> {
        let run = self.named_run(id).await?;
        let shared = self.engine().export_task(&run).await?;
        Ok(
            json!({ "ref": holdpoint_protocols::gitai::layout::REF, "commit": shared.commit, "objects": shared.objects }),
        )
    }

    async fn import_runs(&self, import: ImportRuns) -> Result<Value> {
        Ok(json!(self.engine().import_runs(self.caller(), &import).await?))
    }
}

impl Embedded {
    async fn named_run(&self, id: &str) -> Result<Run> {
        self.engine().find_run(self.caller(), id).await
    }
}
