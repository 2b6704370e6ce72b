//! Runs as they are shown: with their state, and that of their task.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use holdpoint_core::run::{ObjectId, RunOrigin, Standing};
use holdpoint_core::{Lane, Refusal, Role, Run};
use holdpoint_protocols::gitai::state::{Attempt, TaskState, project};
use holdpoint_store::OutboxState;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::start::taken_back;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::git::{GitFolder, LockHolder};

/// A run, with where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShownRun {
    /// The run.
    #[serde(flatten, serialize_with = "numbered", deserialize_with = "sequenced")]
    pub run: Run,
    /// Its status, with the outcome of the question about it.
    pub standing: Standing,
    /// The run that took back what it committed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled_back_by: Option<ObjectId>,
    /// The runs that went on from what it saved, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed_by: Vec<ObjectId>,
    /// Where its task stands; only where one run is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub state: Option<TaskState>,
}

impl Deref for ShownRun {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.run
    }
}

/// Serializes a run with the numbers of patch sets that people use, wherever it refers to one. Their internal indexes,
/// from 0, are not shown.
fn numbered<S: Serializer>(run: &Run, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut value = serde_json::to_value(run).map_err(serde::ser::Error::custom)?;
    let numbers: HashMap<String, u32> =
        run.patchsets.iter().map(|patchset| (patchset.id.to_string(), patchset.number())).collect();
    let number = |part: &mut Value, id: &str, name: &str| {
        let number = part.get(id).and_then(Value::as_str).and_then(|id| numbers.get(id)).copied();
        if let (Some(number), Value::Object(part)) = (number, part) {
            part.insert(name.to_owned(), number.into());
        }
    };
    for (list, id, name) in [
        ("patchsets", "id", "number"),
        ("evidence", "patchset", "patchset_number"),
        ("comments", "patchset", "patchset_number"),
    ] {
        let parts = value.get_mut(list).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| number(part, id, name));
    }
    if let Some(verdict) = value.get_mut("verdict") {
        number(verdict, "patchset", "patchset_number");
    }
    for patchset in patchsets(&mut value) {
        patchset.remove("sequence");
    }
    value.serialize(serializer)
}

/// Deserializes a run that was written with numbers.
fn sequenced<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Run, D::Error> {
    let mut value = Value::deserialize(deserializer)?;
    for (place, patchset) in patchsets(&mut value).enumerate() {
        patchset.insert("sequence".to_owned(), place.into());
    }
    serde_json::from_value(value).map_err(serde::de::Error::custom)
}

fn patchsets(run: &mut Value) -> impl Iterator<Item = &mut serde_json::Map<String, Value>> {
    let patchsets = run.get_mut("patchsets").and_then(Value::as_array_mut);
    patchsets.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// The life of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunLog {
    /// All attempts at it, the oldest first.
    pub items: Vec<ShownRun>,
    /// Where it stands.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub state: TaskState,
}

impl Engine {
    /// Returns runs with their state.
    pub async fn seen_runs(&self, runs: Vec<Run>) -> Result<Vec<ShownRun>> {
        /// How many verdicts are checked for problems.
        const LOOKED_AT: usize = 1_000;
        let now = self.now().await?;
        let mut seen = Vec::with_capacity(runs.len());
        for run in runs {
            let decision = match run.decision.filter(|_| run.verdict.is_none()) {
                Some(id) => self.store.decision(id).await?.map(|decision| decision.as_of(now)),
                None => None,
            };
            let standing = Standing::of(&run, decision.as_ref());
            seen.push(ShownRun { run, standing, rolled_back_by: None, resumed_by: Vec::new(), state: None });
        }
        if seen.iter().any(|run| matches!(run.standing, Standing::Carrying { .. })) {
            let waiting = self.store.outbox_entries(OutboxState::Queued, Some(Lane::Git), LOOKED_AT).await?;
            for run in &mut seen {
                if let Standing::Carrying { decision, trouble, at_work, .. } = &mut run.standing {
                    let row = waiting.iter().find(|row| row.decision == Some(*decision));
                    *trouble = row.and_then(|row| row.last_error.clone());
                    let holder = GitFolder::at(Path::new(&run.run.repo)).holder();
                    *at_work = holder.map(|LockHolder { decision: other, by }| {
                        if other == decision.to_string() {
                            by
                        } else {
                            format!("{by}, with {other} before it")
                        }
                    });
                }
            }
        }
        self.find_followers(&mut seen).await?;
        Ok(seen)
    }

    /// Finds the runs that reverted what others committed, and those that continued from what others saved.
    async fn find_followers(&self, seen: &mut [ShownRun]) -> Result<()> {
        let commits = |shown: &ShownRun| {
            matches!(shown.standing, Standing::Committed | Standing::RolledBack)
                && shown.verdict.as_ref().is_some_and(|verdict| verdict.commit.is_some())
        };
        let saves = |shown: &ShownRun| shown.standing == Standing::Checkpointed;
        let mut tasks: HashMap<ObjectId, Vec<Run>> = HashMap::new();
        for shown in seen.iter_mut().filter(|shown| commits(shown) || saves(shown)) {
            let attempts = match tasks.entry(shown.run.task.id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(self.attempts(shown.run.task.id).await?),
            };
            if saves(shown) {
                let goes_on = Some(RunOrigin::Resume { run: shown.run.id });
                let followers = attempts.iter().rev().filter(|run| run.origin == goes_on);
                shown.resumed_by = followers.map(|run| run.id).collect();
                continue;
            }
            shown.rolled_back_by = taken_back(&shown.run, attempts, attempts.len()).map(|run| run.id);
        }
        Ok(())
    }

    /// Returns a run with its state.
    pub async fn seen_run(&self, run: Run) -> Result<ShownRun> {
        let standing = Standing::of(&run, None);
        let known = ShownRun {
            run: run.clone(),
            standing,
            rolled_back_by: None,
            resumed_by: Vec::new(),
            state: None,
        };
        Ok(self.seen_runs(vec![run]).await?.pop().unwrap_or(known))
    }

    /// Returns the history of a run's task, as far as a caller may see it.
    pub async fn run_log(&self, caller: &Caller, run: &Run) -> Result<RunLog> {
        let mut attempts = self.attempts(run.task.id).await?;
        attempts.retain(|attempt| caller.may_use(&attempt.project));
        attempts.reverse();
        let items = self.seen_runs(attempts).await?;
        let mut all = Vec::with_capacity(items.len());
        for shown in &items {
            // An attempt that cannot be exported still has its place among the attempts.
            let objects = self.run_objects(&shown.run).await.unwrap_or_default();
            all.push(Attempt { run: &shown.run, standing: &shown.standing, objects });
        }
        let state = project(&all);
        Ok(RunLog { items, state })
    }

    /// Returns a run with its state and that of its task.
    pub async fn seen_whole(&self, caller: &Caller, run: &Run) -> Result<ShownRun> {
        let RunLog { items, state } = self.run_log(caller, run).await?;
        let found = items.into_iter().find(|shown| shown.id == run.id);
        let shown = match found {
            Some(shown) => shown,
            None => self.seen_run(run.clone()).await?,
        };
        Ok(ShownRun { state: Some(state), ..shown })
    }

    /// Holds until nothing more happens to a run by itself (its verdict was carried out, or is no longer requested), or
    /// the time is up; returns it in its current state.
    pub async fn wait_for_run(
        &self,
        caller: &Caller,
        id: ObjectId,
        timeout: Option<Duration>,
    ) -> Result<ShownRun> {
        let mut changed = self.store.watch()?;
        let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
        loop {
            changed.mark_unchanged();
            let run = self.seen_run(self.find_run(caller, &id.to_string()).await?).await?;
            let over = give_up.is_some_and(|at| at <= tokio::time::Instant::now());
            if run.standing.is_settled() || over {
                return Ok(run);
            }
            let late = async {
                match give_up {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = changed.changed() => {}
                () = late => {}
            }
        }
    }

    /// Carries out the verdict that was given on a run, if the process that should have done so has not.
    pub async fn carry_run(&self, caller: &Caller, run: &Run) -> Result<ShownRun> {
        if caller.actor.role == Some(Role::Agent) {
            return Err(Refusal::Forbidden("an agent does not carry out its verdict".into()).into());
        }
        // Even if it is recorded: a process that was killed then has left something to clean up.
        if let Some(decision) = run.decision {
            self.carry_out_now(decision).await?;
        }
        self.seen_run(self.run_there(run.id).await?).await
    }
}
