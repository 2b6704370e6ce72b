//! Runs, as requests.

use std::num::NonZeroUsize;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::Span;
use holdpoint_core::run::{ObjectId, Usage};
use holdpoint_store::{Order, RunQuery};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Http, TIMEOUT};
use crate::api::HoldParams;
use crate::api::runs::{
    ADD_EVIDENCE, ADD_USAGE, CARRY_RUN, COMMENT_RUN, DiffParams, EXPORT_RUN, EvidenceParams, FINISH_RUN,
    GET_RUN, IMPORT_RUNS, LIST_RUNS, ListParams, PATCH_RUN, Patch, RECORD_OBJECT, RESUME_RUN, ROLLBACK_RUN,
    RUN_DIFF, RUN_LOG, RUN_OBJECTS, RUN_OUTPUT, RunObject, START_RUN, WAIT_FOR_RUN,
};
use crate::client::Runs;
use crate::error::Result;
use crate::run::{
    FinishRun, ImportRuns, NewComment, NewEvidence, RunList, RunLog, RunPart, ShownRun, StartRun,
};

/// How much of a log is sent to a server, from its end.
const MOST_LOG: usize = 4 << 20;

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
            // A waiter has time, and a server that restarts still has the run.
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
        // Without a number, the last one is returned.
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
