//! The state of a task: computed from its attempts and their objects, and stored in none of them.
//!
//! Objects are only ever added. The current state (which intents are not superseded, which plan is used, whether
//! something is released, what a page opens on) follows from all of them together, so every reader sees the same,
//! whatever the order in which they were imported.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::run::{ObjectId, Standing, Verdict};
use holdpoint_core::{DecisionId, Run, Timestamp};
use serde::{Deserialize, Serialize};

use super::Object;
use super::intent::{IntentEventKind, PlanStepStatus};

/// An attempt, with its state and all its objects.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// The run.
    pub run: &'a Run,
    /// Where it stands.
    pub standing: &'a Standing,
    /// Its objects.
    pub objects: Vec<Object>,
}

/// Where a task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskState {
    /// Whether there is something to do.
    pub status: TaskStatus,
    /// What is wanted, and the outcome of each wish.
    pub thread: Thread,
    /// Which plans there are, and which one counts.
    pub plan: Plans,
    /// What of it is on its branch.
    pub release: Release,
    /// What a page opens on.
    pub ui: Ui,
}

/// Whether there is something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// It is to be done, or being done.
    Open,
    /// A change was committed, and stands.
    Done,
    /// It was given up.
    Failed,
}

impl TaskStatus {
    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// The intents of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// All of them, oldest first.
    pub intents: Vec<ObjectId>,
    /// Those that no other follows.
    pub heads: Vec<Head>,
    /// The newest.
    pub latest: Option<ObjectId>,
}

/// An intent that no other follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The intent.
    pub id: ObjectId,
    /// In whose words.
    pub prompt: String,
    /// `open`, or the last word about it: `completed`, `cancelled`, or another.
    pub status: String,
}

/// The plans of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plans {
    /// Those that no other revises, oldest first.
    pub heads: Vec<ObjectId>,
    /// The one that counts: that of the attempt that was committed, else of the last that has one. A task that was given
    /// up has none, and neither has one whose change was taken back, until another attempt brings one.
    pub selected: Option<Selected>,
}

/// The plan that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// The plan.
    pub id: ObjectId,
    /// The attempt that brought it or works by it.
    pub run: ObjectId,
    /// How many steps it has.
    pub steps: usize,
    /// How many of them are completed or skipped.
    pub completed: usize,
}

/// What of a task is on its branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Release {
    /// Nothing was ever committed.
    None,
    /// A commit stands.
    Committed {
        /// The commit.
        commit: String,
        /// The branch it was put on.
        branch: String,
        /// The attempt it came of.
        run: ObjectId,
        /// Since when.
        at: Option<Timestamp>,
    },
    /// Everything that was committed was taken back.
    RolledBack {
        /// The commit that did so.
        commit: Option<String>,
        /// The branch it is on.
        branch: String,
        /// The attempt it came of.
        run: ObjectId,
        /// Since when.
        at: Option<Timestamp>,
    },
}

/// What a page opens on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ui {
    /// The attempt: one that is under way, else the newest.
    pub run: Option<ObjectId>,
    /// The decision that somebody is to answer.
    pub waits_for: Option<DecisionId>,
}

/// Computes the state of a task from all attempts at it.
pub fn project(attempts: &[Attempt<'_>]) -> TaskState {
    let mut attempts: Vec<&Attempt<'_>> = attempts.iter().collect();
    attempts.sort_by_key(|attempt| attempt.run.id);
    let release = release(&attempts);
    TaskState {
        status: status(&attempts, &release),
        thread: thread(&attempts),
        plan: Plans { heads: plan_heads(&attempts), selected: selected(&attempts) },
        ui: ui(&attempts),
        release,
    }
}

/// Returns the attempts that have ended, in the order in which they did.
fn ended<'a, 'b>(attempts: &[&'a Attempt<'b>]) -> Vec<(&'a Attempt<'b>, Verdict)> {
    let mut ended: Vec<_> = attempts
        .iter()
        .filter_map(|attempt| Some((*attempt, attempt.run.verdict.as_ref()?.verdict)))
        .collect();
    ended.sort_by_key(|(attempt, _)| (attempt.run.decided_at, attempt.run.id));
    ended
}

fn release(attempts: &[&Attempt<'_>]) -> Release {
    let mut standing: Vec<&Run> = Vec::new();
    let mut rollbacks = BTreeSet::new();
    let mut last = None;
    for (attempt, verdict) in ended(attempts) {
        let run = attempt.run;
        match verdict {
            Verdict::Commit => standing.push(run),
            Verdict::Rollback => {
                let gone = run.reverts.as_ref().map(|reverts| reverts.run);
                // Reverting a rollback restores the change.
                if gone.is_some_and(|gone| rollbacks.remove(&gone)) {
                    standing.push(run);
                    continue;
                }
                rollbacks.insert(run.id);
                match standing.iter().rposition(|known| Some(known.id) == gone) {
                    Some(at) => drop(standing.remove(at)),
                    // An imported run does not say what it reverted: it is assumed to be the last possible commit.
                    None => drop(standing.pop()),
                }
                last = Some(run);
            }
            Verdict::Checkpoint | Verdict::Retry | Verdict::Abandon => {}
        }
    }
    let commit_of = |run: &Run| run.verdict.as_ref().and_then(|verdict| verdict.commit.clone());
    match (standing.last(), last) {
        (Some(run), _) => Release::Committed {
            commit: commit_of(run).unwrap_or_default(),
            branch: run.branch.clone(),
            run: run.id,
            at: run.decided_at,
        },
        (None, Some(run)) => Release::RolledBack {
            commit: commit_of(run),
            branch: run.branch.clone(),
            run: run.id,
            at: run.decided_at,
        },
        (None, None) => Release::None,
    }
}

fn status(attempts: &[&Attempt<'_>], release: &Release) -> TaskStatus {
    if matches!(release, Release::Committed { .. }) {
        return TaskStatus::Done;
    }
    // As long as an agent works on another attempt, the task is not given up.
    let over = attempts.iter().all(|attempt| attempt.run.verdict.is_some());
    match ended(attempts).last() {
        Some((_, Verdict::Abandon)) if over => TaskStatus::Failed,
        _ => TaskStatus::Open,
    }
}

fn thread(attempts: &[&Attempt<'_>]) -> Thread {
    let mut intents = BTreeMap::new();
    let mut followed = BTreeSet::new();
    let mut said: BTreeMap<ObjectId, (super::Moment, String)> = BTreeMap::new();
    for object in attempts.iter().flat_map(|attempt| &attempt.objects) {
        match object {
            Object::Intent(intent) => {
                followed.extend(intent.parents.iter().copied());
                intents.insert(intent.header.object_id, intent);
            }
            Object::IntentEvent(event) => {
                if event.next_intent_id.is_some() {
                    followed.insert(event.intent_id);
                }
                let status = match &event.kind {
                    IntentEventKind::Analyzed => continue,
                    IntentEventKind::Completed => "completed".to_owned(),
                    IntentEventKind::Cancelled => "cancelled".to_owned(),
                    IntentEventKind::Other(word) => word.clone(),
                };
                let at = event.header.created_at;
                let newer = said.get(&event.intent_id).is_none_or(|(known, _)| *known <= at);
                if newer {
                    said.insert(event.intent_id, (at, status));
                }
            }
            _ => {}
        }
    }
    // An intent is not given up if another attempt continues with it, or has committed it.
    let over = attempts.iter().all(|attempt| attempt.run.verdict.is_some());
    let stands = match release(attempts) {
        Release::Committed { .. } => Some("completed"),
        _ => (!over).then_some("open"),
    };
    for (attempt, verdict) in ended(attempts) {
        let intent = attempt.run.intent.as_ref().filter(|_| verdict == Verdict::Abandon);
        if let (Some(stands), Some((at, status))) = (stands, intent.and_then(|it| said.get_mut(&it.id)))
            && status == "cancelled"
            && Some(at.timestamp()) == attempt.run.decided_at
        {
            stands.clone_into(status);
        }
    }
    // After a rollback the intent is open again.
    for (attempt, verdict) in ended(attempts) {
        let Some(intent) = attempt.run.intent.as_ref().filter(|_| verdict == Verdict::Rollback) else {
            continue;
        };
        let taken_back = |(at, status): &mut (super::Moment, String)| {
            let before = attempt.run.decided_at.is_none_or(|decided| at.timestamp() <= decided);
            if before && status == "completed" {
                "open".clone_into(status);
            }
        };
        said.get_mut(&intent.id).into_iter().for_each(taken_back);
    }
    let mut ordered: Vec<_> = intents.values().collect();
    ordered.sort_by_key(|intent| (intent.header.created_at, intent.header.object_id));
    let head = |intent: &super::intent::Intent| {
        let id = intent.header.object_id;
        let status = said.get(&id).map_or_else(|| "open".to_owned(), |(_, status)| status.clone());
        Head { id, prompt: intent.prompt.clone(), status }
    };
    Thread {
        heads: ordered
            .iter()
            .filter(|it| !followed.contains(&it.header.object_id))
            .map(|it| head(it))
            .collect(),
        latest: ordered.last().map(|intent| intent.header.object_id),
        intents: ordered.iter().map(|intent| intent.header.object_id).collect(),
    }
}

fn plan_heads(attempts: &[&Attempt<'_>]) -> Vec<ObjectId> {
    let mut plans = BTreeMap::new();
    let mut revised = BTreeSet::new();
    for object in attempts.iter().flat_map(|attempt| &attempt.objects) {
        if let Object::Plan(plan) = object {
            revised.extend(plan.parents.iter().copied());
            plans.insert(plan.header.object_id, plan.header.created_at);
        }
    }
    let mut heads: Vec<_> = plans.into_iter().filter(|(id, _)| !revised.contains(id)).collect();
    heads.sort_by_key(|(id, at)| (*at, *id));
    heads.into_iter().map(|(id, _)| id).collect()
}

fn selected(attempts: &[&Attempt<'_>]) -> Option<Selected> {
    let mut selected: Option<(ObjectId, ObjectId)> = None;
    for attempt in attempts {
        if let Some(plan) = plan_of(attempt) {
            selected = Some((plan, attempt.run.id));
        }
        let verdict = attempt.run.verdict.as_ref().map(|verdict| verdict.verdict);
        if matches!(verdict, Some(Verdict::Abandon | Verdict::Rollback)) {
            selected = None;
        }
    }
    let (id, run) = selected?;
    let objects = || attempts.iter().flat_map(|attempt| &attempt.objects);
    let steps: BTreeSet<ObjectId> = objects()
        .filter_map(|object| match object {
            Object::Plan(plan) if plan.header.object_id == id => Some(&plan.steps),
            _ => None,
        })
        .flatten()
        .map(|step| step.step_id)
        .collect();
    let mut last: BTreeMap<ObjectId, (super::Moment, PlanStepStatus)> = BTreeMap::new();
    for object in objects() {
        if let Object::PlanStepEvent(event) = object
            && event.plan_id == id
            && last.get(&event.step_id).is_none_or(|(at, _)| *at <= event.header.created_at)
        {
            last.insert(event.step_id, (event.header.created_at, event.status));
        }
    }
    let done = |status: PlanStepStatus| matches!(status, PlanStepStatus::Completed | PlanStepStatus::Skipped);
    let completed = last.iter().filter(|(step, (_, status))| steps.contains(step) && done(*status)).count();
    Some(Selected { id, run, steps: steps.len(), completed })
}

/// Returns the plan of an attempt: the one whose steps it reports, or else the last that it brought, or else the one it
/// was started with.
fn plan_of(attempt: &Attempt<'_>) -> Option<ObjectId> {
    let newest = |found: &dyn Fn(&Object) -> Option<ObjectId>| {
        let found =
            attempt.objects.iter().filter_map(|object| Some((object.header().created_at, found(object)?)));
        found.max_by_key(|(at, id)| (*at, *id)).map(|(_, id)| id)
    };
    let reported = newest(&|object| match object {
        Object::PlanStepEvent(event) => Some(event.plan_id),
        _ => None,
    });
    let brought = || {
        newest(&|object| match object {
            Object::Plan(plan) => Some(plan.header.object_id),
            _ => None,
        })
    };
    let started_with = || {
        newest(&|object| match object {
            Object::Run(run) => run.plan,
            _ => None,
        })
    };
    reported.or_else(brought).or_else(started_with)
}

fn ui(attempts: &[&Attempt<'_>]) -> Ui {
    let under_way = attempts.iter().rev().find(|attempt| !attempt.standing.is_settled());
    let shown = under_way.or(attempts.last());
    let waits_for = attempts.iter().rev().find_map(|attempt| match attempt.standing {
        Standing::Waiting { decision, .. } => Some(*decision),
        _ => None,
    });
    Ui { run: shown.map(|attempt| attempt.run.id), waits_for }
}
