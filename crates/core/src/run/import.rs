//! Imports runs that were made elsewhere: unchanged, all or none, and only once.

use super::{Imported, MAX_IMPORT, MAX_OBJECTS, Run, RunStatus, Verdict, decide};
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_MESSAGE, check_name};
use crate::{Actor, Event, json};

/// Imports runs. A run that is known already is left as it is.
pub(super) fn import(
    state: &State,
    actor: &Actor,
    project: &str,
    runs: &[Imported],
) -> Result<Ruling, Refusal> {
    check_name(project).map_err(|why| Refusal::invalid("project", why))?;
    if runs.len() > MAX_IMPORT {
        let count = runs.len();
        return Err(Refusal::invalid(
            "runs",
            format!("there are {count}; at most {MAX_IMPORT} are allowed at once"),
        ));
    }
    let mut events: Vec<Event> = Vec::new();
    for Imported { run, objects } in runs {
        if state.runs.contains(&run.id) {
            continue;
        }
        check(run)?;
        if objects.len() > MAX_OBJECTS {
            return wrong(run, &format!("has {} objects; at most {MAX_OBJECTS} are allowed", objects.len()));
        }
        let mut objects = objects.clone();
        for object in &mut objects {
            json::settle(object).map_err(|why| Refusal::invalid("object", why))?;
        }
        let (id, project, by) = (run.id, project.to_owned(), actor.by.clone());
        let run = Box::new(Run { project: project.clone(), imported: true, ..run.clone() });
        events.push(Event::RunImported { id, project, run, objects, by });
    }
    Ok(Ruling { replayed: events.is_empty(), events, ..Ruling::default() })
}

/// Checks what holds for every run, wherever it was made.
fn check(run: &Run) -> Result<(), Refusal> {
    decide::check_commit("base", &run.base)?;
    if run.task.title.trim().is_empty() {
        return wrong(run, "is an attempt at a task without a title");
    }
    decide::length("guidance", run.guidance.as_deref(), MAX_MESSAGE)?;
    decide::length("parameters", run.parameters.as_deref(), MAX_MESSAGE)?;
    for (at, patchset) in run.patchsets.iter().enumerate() {
        decide::check_patchset(patchset)?;
        if usize::try_from(patchset.sequence).ok() != Some(at) {
            return wrong(run, &format!("has a patch set of number {} in place {at}", patchset.sequence));
        }
    }
    for evidence in &run.evidence {
        decide::check_evidence(run, evidence)?;
    }
    let Some(verdict) = &run.verdict else {
        return if run.status == RunStatus::Running {
            Ok(())
        } else {
            wrong(run, "has ended without a verdict")
        };
    };
    if run.status != RunStatus::Decided {
        return wrong(run, "has a verdict, but has not ended");
    }
    decide::length("rationale", verdict.rationale.as_deref(), MAX_MESSAGE)?;
    let commits = matches!(verdict.verdict, Verdict::Commit | Verdict::Rollback);
    match &verdict.commit {
        Some(commit) if commits => decide::check_commit("commit", commit)?,
        // Other systems may record a rollback without a commit.
        None if verdict.verdict != Verdict::Commit => {}
        Some(_) => {
            return wrong(run, &format!("names a commit, but its verdict is {}", verdict.verdict.name()));
        }
        None => return wrong(run, "is committed, but no commit is named"),
    }
    let chosen = verdict.patchset.map(|id| run.patchset(id).is_some());
    if chosen == Some(false) {
        return wrong(run, "was ended with a patch set of another run");
    }
    if verdict.verdict == Verdict::Commit && chosen.is_none() {
        return wrong(run, "is committed, but no patch set was chosen");
    }
    if verdict.checkpoint.is_some() != (verdict.verdict == Verdict::Checkpoint) {
        return wrong(run, "must name a checkpoint where it ended in one, and only there");
    }
    Ok(())
}

fn wrong<T>(run: &Run, why: &str) -> Result<T, Refusal> {
    Err(Refusal::invalid("run", format!("{} {why}", run.id)))
}
