//! Runs, from this process or over a wire.

use std::num::NonZeroUsize;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::run::{ObjectId, Usage};
use holdpoint_core::{Run, Span};
use holdpoint_store::{Order, RunQuery};

use super::Embedded;
#[cfg(feature = "http-client")]
use super::Http;
#[cfg(feature = "http-client")]
use super::http::TIMEOUT;
#[cfg(feature = "http-client")]
use crate::api::HoldParams;
#[cfg(feature = "http-client")]
use crate::api::runs::{
    ADD_EVIDENCE, ADD_USAGE, CARRY_RUN, COMMENT_RUN, DiffParams, EXPORT_RUN, EvidenceParams, FINISH_RUN,
    GET_RUN, IMPORT_RUNS, LIST_RUNS, ListParams, PATCH_RUN, Patch, RECORD_OBJECT, RESUME_RUN, ROLLBACK_RUN,
    RUN_DIFF, RUN_LOG, RUN_OBJECTS, RUN_OUTPUT, RunObject, START_RUN, WAIT_FOR_RUN,
};
use crate::error::Result;
use crate::run::{
    FinishRun, ImportRuns, NewComment, NewEvidence, PatchFrom, RunList, RunLog, RunPart, ShownRun, StartRun,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// All that can be done with runs. A run is named by its id, or the start or end of one.
#[async_trait]
pub trait Runs: Send + Sync {
    /// Begins a run.
    async fn start_run(&self, start: StartRun) -> Result<ShownRun>;

    /// Returns a run, with where it and its task stand.
    async fn run(&self, id: &str) -> Result<ShownRun>;

    /// Lists runs. What a page costs does not depend on how many there are.
    async fn runs(&self, query: &RunQuery) -> Result<RunList>;

    /// Returns the life of a run's task: all attempts at it, and where it stands.
    async fn run_log(&self, id: &str) -> Result<RunLog>;

    /// Proposes a change.
    async fn patch_run(&self, id: &str, diff: Vec<u8>, rationale: Option<String>) -> Result<ShownRun>;

    /// Adds what was found; `said` is all that the tool said.
    async fn add_evidence(&self, id: &str, new: NewEvidence, said: Option<Vec<u8>>) -> Result<ShownRun>;

    /// Adds to what was used up.
    async fn use_in_run(&self, id: &str, usage: Usage) -> Result<ShownRun>;

    /// Keeps another object; returns it as it is kept.
    async fn record_in_run(&self, id: &str, object: Value) -> Result<Value>;

    /// Says something about a line of a patch set.
    async fn comment_run(&self, id: &str, new: NewComment) -> Result<ShownRun>;

    /// Ends the work, and asks for the verdict or gives it.
    async fn finish_run(&self, id: &str, finish: FinishRun) -> Result<ShownRun>;

    /// Holds until the verdict on a run was carried out, or nobody is asked for one any more, or the time is up.
    async fn wait_run(&self, id: &str, timeout: Option<Duration>) -> Result<ShownRun>;

    /// Carries out the verdict that was given on a run, now, if the process that should have done so has not.
    async fn carry_run(&self, id: &str) -> Result<ShownRun>;

    /// Begins a run that goes on from what another saved.
    async fn resume_run(&self, id: &str) -> Result<ShownRun>;

    /// Begins a run that takes back what another committed, and asks for its verdict.
    async fn rollback_run(&self, id: &str) -> Result<ShownRun>;

    /// Returns bytes that belong to a run.
    async fn run_part(&self, id: &str, part: RunPart) -> Result<Vec<u8>>;

    /// Returns every object of a run, to the letter as others keep them.
    async fn run_objects(&self, id: &str) -> Result<Vec<Box<RawValue>>>;

    /// Writes all attempts at a run's task to its repository for others; returns what was written.
    async fn export_run(&self, id: &str) -> Result<Value>;

    /// Takes over the runs on a ref of a repository; returns what was taken.
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

/// How much of a log is sent to a server, from its end.
const MOST_LOG: usize = 4 << 20;

#[cfg(feature = "http-client")]
#[async_trait]
impl Runs for Http {
    async fn start_run(&self, start: StartRun) -> Result<ShownRun> {
        self.send_once(&START_RUN, &[], &start).await
    }

    async fn run(&self, id: &str) -> Result<ShownRun> {
        self.call(&GET_RUN, &[id.trim()]).await
    }

    async fn runs(&self, query: &RunQuery) -> Result<RunList> {
        let query = ListParams {
            project: query.project.clone(),
            task: query.task.map(|task| task.to_string()),
            order: (query.order == Order::OldestFirst).then(|| "oldest_first".into()),
            limit: Some(query.limit.min(1000)),
            cursor: query.after.map(|after| after.to_string()),
        };
        let page = self.query(&LIST_RUNS, &[], &query).await?;
        let next = page.next.and_then(|next| next.parse::<ObjectId>().ok());
        Ok(RunList { items: page.items, next })
    }

    async fn run_log(&self, id: &str) -> Result<RunLog> {
        self.call(&RUN_LOG, &[id.trim()]).await
    }

    async fn wait_run(&self, id: &str, timeout: Option<Duration>) -> Result<ShownRun> {
        /// How long one request holds.
        const HOLD: Duration = Duration::from_secs(30);
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        loop {
            let left = give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
            let hold = left.map_or(HOLD, |left| left.min(HOLD));
            let millis = i64::try_from(hold.as_millis()).unwrap_or(i64::MAX);
            let query = HoldParams { timeout: Some(Span::from_millis(millis)) };
            let limit = hold + Duration::from_secs(30);
            // A waiter has time; a server that is restarted still has the run.
            let timeout = left.map_or(Duration::from_secs(u32::MAX.into()), |left| left.max(TIMEOUT));
            let make = || self.request(&WAIT_FOR_RUN, &[id.trim()]).query(&query).timeout(limit);
            let response = self.persist(make, timeout).await?;
            let run: ShownRun = self.read(response).await?;
            let time_is_up = give_up.is_some_and(|at| tokio::time::Instant::now() >= at);
            if run.standing.is_settled() || time_is_up {
                return Ok(run);
            }
        }
    }

    async fn carry_run(&self, id: &str) -> Result<ShownRun> {
        self.call_once(&CARRY_RUN, &[id.trim()]).await
    }

    async fn patch_run(&self, id: &str, diff: Vec<u8>, rationale: Option<String>) -> Result<ShownRun> {
        let unfit = |why: &str| crate::git::GitError::new(crate::git::Kind::Unfit, why.to_owned());
        let diff = String::from_utf8(diff).map_err(|_| {
            unfit("the patch is not UTF-8; make it with git diff --binary, or convert its files")
        })?;
        self.send_once(&PATCH_RUN, &[id.trim()], &Patch { diff, rationale }).await
    }

    async fn add_evidence(&self, id: &str, new: NewEvidence, said: Option<Vec<u8>>) -> Result<ShownRun> {
        let end = |said: Vec<u8>| {
            let from = said.len().saturating_sub(MOST_LOG);
            String::from_utf8_lossy(&said[from..]).into_owned()
        };
        let new = NewEvidence { log: said.map(end).or(new.log), ..new };
        self.send_once(&ADD_EVIDENCE, &[id.trim()], &new).await
    }

    async fn use_in_run(&self, id: &str, usage: Usage) -> Result<ShownRun> {
        self.send_once(&ADD_USAGE, &[id.trim()], &usage).await
    }

    async fn record_in_run(&self, id: &str, object: Value) -> Result<Value> {
        self.send_once(&RECORD_OBJECT, &[id.trim()], &object).await
    }

    async fn comment_run(&self, id: &str, new: NewComment) -> Result<ShownRun> {
        self.send_once(&COMMENT_RUN, &[id.trim()], &new).await
    }

    async fn finish_run(&self, id: &str, finish: FinishRun) -> Result<ShownRun> {
        self.send_once(&FINISH_RUN, &[id.trim()], &finish).await
    }

    async fn resume_run(&self, id: &str) -> Result<ShownRun> {
        self.call_once(&RESUME_RUN, &[id.trim()]).await
    }

    async fn rollback_run(&self, id: &str) -> Result<ShownRun> {
        self.call_once(&ROLLBACK_RUN, &[id.trim()]).await
    }

    async fn run_part(&self, id: &str, part: RunPart) -> Result<Vec<u8>> {
        // Without a number the last is meant.
        let query = match part {
            RunPart::Patch(number) => DiffParams { patchset: NonZeroUsize::new(number), against: None },
            RunPart::Between { from: (from, number), to } => {
                let against = if number > 0 { format!("{from}:{number}") } else { from.to_string() };
                DiffParams { patchset: NonZeroUsize::new(to), against: Some(against) }
            }
            RunPart::Evidence(evidence) => {
                let query = EvidenceParams { evidence };
                let make = || self.request(&RUN_OUTPUT, &[id.trim()]).query(&query);
                return self.read_bytes(self.persist(make, TIMEOUT).await?).await;
            }
        };
        let make = || self.request(&RUN_DIFF, &[id.trim()]).query(&query);
        self.read_bytes(self.persist(make, TIMEOUT).await?).await
    }

    async fn run_objects(&self, id: &str) -> Result<Vec<Box<RawValue>>> {
        let objects = self.call(&RUN_OBJECTS, &[id.trim()]).await?.items;
        Ok(objects.into_iter().map(|RunObject(object)| object).collect())
    }

    async fn export_run(&self, id: &str) -> Result<Value> {
        self.call_once(&EXPORT_RUN, &[id.trim()]).await
    }

    async fn import_runs(&self, import: ImportRuns) -> Result<Value> {
        self.send(&IMPORT_RUNS, &[], &import).await
    }
}
