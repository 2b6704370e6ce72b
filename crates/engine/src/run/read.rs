//! Reading runs, with the caller's permissions.

use std::path::Path;

use holdpoint_core::run::{Artifact, ObjectId, PatchSet};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Refusal, Role, Run};
use holdpoint_store::{NamePart, Order, RunQuery};

use super::ShownRun;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::git::Repo;

/// A page of runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunList {
    /// The runs.
    pub items: Vec<ShownRun>,
    /// The run after which the next page begins, if there is one.
    pub next: Option<ObjectId>,
}

/// Bytes that belong to a run, by number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// The diff of a patch set; if 0, of the accepted one, else of the last. If there is no patch set and a commit is
    /// to be reverted, the diff of that.
    Patch(usize),
    /// The whole output of a piece of evidence.
    Evidence(usize),
    /// The changes from a patch set of another run, or of this one, to one of this.
    Between {
        /// The other run, and its patch set; its last if 0.
        from: (ObjectId, usize),
        /// The patch set of this run; the last if 0.
        to: usize,
    },
}

/// How many runs that match a part of an id are shown.
const SHOWN: usize = 8;
/// How many are read at once if most of them may be invisible to the caller.
const AT_ONCE: usize = 1_000;
/// The size above which a file is not read for a few of its lines.
const MOST_OF_A_FILE: u64 = 8 << 20;
/// How many runs that match a part of an id are read at once.
const NAMED: usize = 50;

impl Engine {
    /// Finds the one run that matches an id, or its start or end, among those that a caller may see.
    pub async fn find_run(&self, caller: &Caller, typed: &str) -> Result<Run> {
        let missing = || Error::Refused(Refusal::NotFound { what: "run", id: typed.to_owned() });
        if let Ok(id) = typed.parse::<ObjectId>() {
            let known = self.store.run(id).await?;
            return known.filter(|run| caller.may_work_on(run)).ok_or_else(missing);
        }
        let part = NamePart::read(typed).ok_or_else(|| match typed.trim().len() {
            1..NamePart::LEAST => {
                let (typed, least) = (inert_line(typed), NamePart::LEAST);
                let why =
                    format!("run {typed:?} not found: part of an id names a run from {least} characters on");
                Error::Refused(Refusal::Absent(why))
            }
            _ => missing(),
        })?;
        let mut fitting: Vec<Run> = Vec::new();
        let mut after = None;
        loop {
            let page = self.store.runs_named(&part, after, NAMED).await?;
            let whole = page.len() == NAMED;
            after = page.last().map(|run| run.id);
            fitting.extend(page.into_iter().filter(|run| caller.may_work_on(run)));
            fitting.truncate(SHOWN + 1);
            if fitting.len() > SHOWN || !whole {
                break;
            }
        }
        match fitting.len() {
            0 => Err(missing()),
            1 => fitting.pop().ok_or_else(missing),
            count => {
                let title = |run: &Run| inert_line(&run.task.title).chars().take(60).collect::<String>();
                let line = |run: &Run| (run.id.short(), title(run));
                let candidates = fitting.iter().take(SHOWN).map(line).collect();
                let part = part.as_str().to_owned();
                Err(Error::SeveralRuns { part, candidates, more: count > SHOWN })
            }
        }
    }

    /// Lists runs that a caller may see. The cost of a page does not depend on how many runs there are.
    pub async fn list_runs(&self, caller: &Caller, query: &RunQuery) -> Result<RunList> {
        // One more than requested shows whether there is a next page.
        let wanted = RunQuery { limit: query.limit.saturating_add(1), ..query.clone() };
        let projects: Vec<Option<String>> = match (&query.project, query.task) {
            (Some(project), _) if caller.may_use(project) => vec![Some(project.clone())],
            (Some(_), _) => Vec::new(),
            (None, None) if !caller.projects.is_empty() => {
                caller.projects.iter().cloned().map(Some).collect()
            }
            (None, _) => vec![None],
        };
        let mut items = Vec::new();
        for project in projects {
            items.extend(self.runs_for(caller, RunQuery { project, ..wanted.clone() }).await?);
        }
        match query.order {
            Order::NewestFirst => items.sort_by_key(|run| std::cmp::Reverse(run.id)),
            Order::OldestFirst => items.sort_by_key(|run| run.id),
        }
        let more = items.len() > query.limit;
        items.truncate(query.limit);
        let next = items.last().map(|run| run.id).filter(|_| more);
        Ok(RunList { items: self.seen_runs(items).await?, next })
    }

    /// Reads runs that a caller may see, until there are as many as requested. An agent's own runs can only be found by
    /// reading them.
    async fn runs_for(&self, caller: &Caller, mut query: RunQuery) -> Result<Vec<Run>> {
        let (wanted, mut found) = (query.limit, Vec::new());
        if caller.actor.role == Some(Role::Agent) {
            query.limit = query.limit.max(AT_ONCE);
        }
        loop {
            let page = self.store.runs(&query).await?;
            let (count, last) = (page.len(), page.last().map(|run| run.id));
            found.extend(page.into_iter().filter(|run| caller.may_work_on(run)));
            if found.len() >= wanted || count < query.limit {
                found.truncate(wanted);
                return Ok(found);
            }
            query.after = last;
        }
    }

    /// Returns bytes that belong to a run; an error if they differ from what was recorded.
    pub async fn run_part(&self, caller: &Caller, run: &Run, part: RunPart) -> Result<Vec<u8>> {
        let or_last = |number: usize, run: &Run| if number == 0 { shown_first(run) } else { number };
        let found: Option<&Artifact> = match part {
            RunPart::Between { from: (from, number), to } => {
                let from = self.find_run(caller, &from.to_string()).await?;
                let (number, to) = (or_last(number, &from), or_last(to, run));
                return self.between_patches((&from, number), (run, to)).await;
            }
            RunPart::Patch(0) if run.patchsets.is_empty() && run.reverts.is_some() => {
                let commit = run.reverts.as_ref().map(|reverts| reverts.commit.as_str()).unwrap_or_default();
                return Ok(Repo::open(Path::new(&run.repo)).await?.diff_without(commit).await?);
            }
            RunPart::Patch(number) => or_last(number, run)
                .checked_sub(1)
                .and_then(|at| run.patchsets.get(at))
                .map(|patchset| &patchset.artifact),
            RunPart::Evidence(number) => {
                let found = number.checked_sub(1).and_then(|at| run.evidence.get(at));
                found.and_then(|evidence| evidence.log.as_ref())
            }
        };
        let (what, number, count) = match part {
            RunPart::Patch(number) => ("patch set", number, run.patchsets.len()),
            RunPart::Evidence(number) => ("log of evidence", number, run.evidence.len()),
            RunPart::Between { to, .. } => ("patch set", to, run.patchsets.len()),
        };
        let missing = || {
            let run = run.id.short();
            let why = match (number, count) {
                (0, _) | (_, 0) => format!("run {run} has no {what}"),
                _ => format!("run {run} has no {what} {number}; there are {count}"),
            };
            Refusal::Absent(why)
        };
        self.artifact(run, found.ok_or_else(missing)?).await
    }

    /// Returns a file as it is in the base of a patch set of a run.
    pub async fn file_before(&self, run: &Run, patchset: &PatchSet, path: &str) -> Result<String> {
        let repo = Repo::open(Path::new(&run.repo)).await?;
        let bytes = repo.bytes_of(&format!("{}:{path}", patchset.base), MOST_OF_A_FILE).await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Returns the number of the patch set that is shown by default: the accepted one, else the last.
fn shown_first(run: &Run) -> usize {
    let taken = run.verdict.as_ref().and_then(|verdict| verdict.patchset);
    let at = taken.and_then(|id| run.patchsets.iter().position(|patchset| patchset.id == id));
    at.map_or(run.patchsets.len(), |at| at + 1)
}
