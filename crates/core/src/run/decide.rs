//! Decides the commands to runs.

use serde_json::Value;

use super::{
    Evidence, MAX_EVIDENCE, MAX_OBJECTS, MAX_PATCH, MAX_PATCHSETS, MAX_TOUCHED, NewRun, ObjectId, PatchSet,
    Run, RunCommand, RunStatus, apply, ask, comment, conclude, conclude::AskReason, import, judge,
};
use crate::actor::{Actor, Role};
use crate::decision::New;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::{MAX_LABEL, MAX_MESSAGE, MAX_NAME, MAX_PROMPT, MAX_TITLE, check_length, check_name};
use crate::{Event, Status, Timestamp, access, json};

/// The maximum size of an object that is only stored, in bytes.
const MAX_OBJECT: usize = 1 << 20;

/// Refuses an agent that would carry out or judge its own work.
pub(crate) fn admit(actor: &Actor, projects: &[String], command: &RunCommand) -> Result<(), Refusal> {
    let no = |why: &str| Err(Refusal::Forbidden(why.into()));
    match command {
        RunCommand::Conclude(_) | RunCommand::Fail { .. } if actor.role == Some(Role::Agent) => {
            no("an agent cannot record the outcome of its verdict")
        }
        RunCommand::Import(_) => access::may_start(actor, projects),
        // A run that follows another uses a repository where starting was allowed before.
        RunCommand::Start(new) if new.origin.is_none() => access::may_start(actor, projects),
        _ => Ok(()),
    }
}

/// Decides a command to a run; changes nothing.
pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    project: &str,
    id: ObjectId,
    command: &RunCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if let RunCommand::Start(new) = command {
        return match state.run.as_deref() {
            Some(run) if is_same(run, project, new) => Ok(Ruling { replayed: true, ..Ruling::default() }),
            Some(_) => Err(Refusal::KeyReused { key: id.to_string() }),
            None => Ok(one(started(state, actor, project, id, new, now)?)),
        };
    }
    if let RunCommand::Import(runs) = command {
        return import::import(state, actor, project, runs);
    }
    let missing = || Refusal::NotFound { what: "run", id: id.short() };
    let run = state.run.as_deref().filter(|run| run.project == project);
    let run = run.filter(|run| access::may_work_on(run, actor, &[])).ok_or_else(missing)?;
    match command {
        RunCommand::Start(_) | RunCommand::Import(_) => Err(missing()),
        RunCommand::Patch(patchset) => patch(run, actor, patchset, now),
        RunCommand::Evidence(evidence) => add_evidence(run, actor, evidence, now),
        RunCommand::Usage(usage) => {
            is_running(run)?;
            let (id, project, by) = (run.id, run.project.clone(), actor.by.clone());
            Ok(one(Event::RunUsed { id, project, usage: *usage, by }))
        }
        RunCommand::Record { kind, object } => record(run, actor, kind, object),
        RunCommand::Finish { message, assignees, blocks } => {
            may_finish(state, run)?;
            length("message", message.as_deref(), MAX_MESSAGE)?;
            let question = ask::question(run, message.as_deref(), None, assignees);
            let question = New { blocks: blocks.clone(), ..question };
            conclude::asked_with(state, actor, run, &question, AskReason::default(), now)
        }
        RunCommand::Comment(comment) => comment::comment(run, actor, comment, now),
        RunCommand::Judge(judgement) => {
            may_finish(state, run)?;
            judge::judge(state, actor, run, judgement, now)
        }
        RunCommand::Conclude(conclusion) => conclude::conclude(state, actor, run, conclusion, now),
        RunCommand::Fail { decision, reason, blocks } => {
            conclude::fail(state, actor, run, *decision, (reason, blocks), now)
        }
    }
}

/// Returns the event that starts a run.
pub(super) fn started(
    state: &State,
    actor: &Actor,
    project: &str,
    id: ObjectId,
    new: &NewRun,
    now: Timestamp,
) -> Result<Event, Refusal> {
    check_name(project).map_err(|why| Refusal::invalid("project", why))?;
    if new.task.title.trim().is_empty() {
        return Err(Refusal::invalid("task", "must have a title: say what is to be done"));
    }
    length("task", Some(&new.task.title), MAX_TITLE)?;
    length("description", new.task.description.as_deref(), MAX_PROMPT)?;
    length("intent", new.intent.as_ref().map(|intent| intent.prompt.as_str()), MAX_PROMPT)?;
    length("repo", Some(&new.repo), MAX_LABEL)?;
    length("branch", Some(&new.branch), MAX_NAME)?;
    length("guidance", new.guidance.as_deref(), MAX_MESSAGE)?;
    length("parameters", new.parameters.as_deref(), MAX_MESSAGE)?;
    if let Some(job) = &new.job {
        check_name(job).map_err(|why| Refusal::invalid("job", why))?;
    }
    check_commit("base", &new.base)?;
    if let Some(reverts) = &new.reverts {
        check_commit("reverts", &reverts.commit)?;
    }
    new.saved.as_deref().map_or(Ok(()), check_patchset)?;
    // A task is the same in all attempts at it.
    if let Some(known) = &state.task
        && *known != new.task
    {
        return Err(Refusal::invalid(
            "task",
            format!("{} already exists with other content", known.id.short()),
        ));
    }
    Ok(Event::RunStarted(Box::new(Run {
        id,
        project: project.to_owned(),
        status: RunStatus::Running,
        task: new.task.clone(),
        intent: new.intent.clone(),
        repo: new.repo.clone(),
        base: new.base.clone(),
        branch: new.branch.clone(),
        origin: new.origin,
        job: new.job.clone(),
        reverts: new.reverts.clone(),
        guidance: new.guidance.clone(),
        parameters: new.parameters.clone(),
        patchsets: new.saved.iter().map(|first| PatchSet { created_at: now, ..(**first).clone() }).collect(),
        evidence: Vec::new(),
        usage: super::Usage::default(),
        recorded: 0,
        objects: Vec::new(),
        comments: Vec::new(),
        imported: false,
        decision: None,
        judge: None,
        trouble: None,
        verdict: None,
        created_by: actor.by.clone(),
        created_at: now,
        decided_at: None,
    })))
}

fn patch(run: &Run, actor: &Actor, patchset: &PatchSet, now: Timestamp) -> Result<Ruling, Refusal> {
    if let Some(known) = run.patchset(patchset.id) {
        let same = known.artifact == patchset.artifact && known.base == patchset.base;
        return if same {
            Ok(Ruling { replayed: true, ..Ruling::default() })
        } else {
            Err(Refusal::KeyReused { key: patchset.id.to_string() })
        };
    }
    is_running(run)?;
    if run.patchsets.len() >= MAX_PATCHSETS {
        return Err(Refusal::invalid(
            "patchset",
            format!("a run takes at most {MAX_PATCHSETS}; finish this one"),
        ));
    }
    check_patchset(patchset)?;
    let sequence = u32::try_from(run.patchsets.len()).unwrap_or(u32::MAX);
    let patchset = PatchSet { sequence, created_by: actor.by.clone(), created_at: now, ..patchset.clone() };
    Ok(one(Event::RunPatched { id: run.id, project: run.project.clone(), patchset: Box::new(patchset) }))
}

/// Checks what holds for every patch set.
pub(super) fn check_patchset(patchset: &PatchSet) -> Result<(), Refusal> {
    if patchset.touched.is_empty() {
        return Err(Refusal::invalid("patchset", "changes nothing"));
    }
    if patchset.touched.len() > MAX_TOUCHED {
        let count = patchset.touched.len();
        return Err(Refusal::invalid(
            "patchset",
            format!("touches {count} files; at most {MAX_TOUCHED} are allowed"),
        ));
    }
    if patchset.artifact.size > MAX_PATCH {
        let most = MAX_PATCH >> 20;
        return Err(Refusal::invalid("patchset", format!("has more than {most} MiB; no more is allowed")));
    }
    length("rationale", patchset.rationale.as_deref(), MAX_MESSAGE)?;
    check_commit("base", &patchset.base)
}

fn add_evidence(run: &Run, actor: &Actor, evidence: &Evidence, now: Timestamp) -> Result<Ruling, Refusal> {
    if run.evidence.iter().any(|known| known.id == evidence.id) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    // The subject of a pending verdict must not change; later findings refer to the verdict. An imported run stays as
    // it was made.
    if run.status == RunStatus::Finished || (run.status == RunStatus::Decided && run.imported) {
        return Err(over(run));
    }
    if run.evidence.len() >= MAX_EVIDENCE {
        return Err(Refusal::invalid(
            "evidence",
            format!("a run takes at most {MAX_EVIDENCE}; finish this one"),
        ));
    }
    check_evidence(run, evidence)?;
    let verdict = run.decision.filter(|_| run.status == RunStatus::Decided);
    let evidence = Evidence { verdict, created_by: actor.by.clone(), created_at: now, ..evidence.clone() };
    Ok(one(Event::RunEvidenced { id: run.id, project: run.project.clone(), evidence: Box::new(evidence) }))
}

/// Checks what holds for every piece of evidence.
pub(super) fn check_evidence(run: &Run, evidence: &Evidence) -> Result<(), Refusal> {
    for (place, name) in [("kind", &evidence.kind), ("tool", &evidence.tool)] {
        check_name(name).map_err(|why| Refusal::invalid(place, why))?;
    }
    length("command", evidence.command.as_deref(), MAX_LABEL)?;
    length("summary", evidence.summary.as_deref(), MAX_MESSAGE)?;
    if let Some(id) = evidence.patchset.filter(|id| run.patchset(*id).is_none()) {
        return Err(Refusal::invalid("patchset", format!("{id} does not belong to run {}", run.id.short())));
    }
    Ok(())
}

fn record(run: &Run, actor: &Actor, kind: &str, object: &Value) -> Result<Ruling, Refusal> {
    // An object with a known id is the same object: stored objects are never rewritten.
    if apply::object_id(object).is_some_and(|id| run.objects.contains(&id)) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    is_running(run)?;
    if run.objects.len() >= MAX_OBJECTS {
        return Err(Refusal::invalid(
            "object",
            format!("a run keeps at most {MAX_OBJECTS}; finish this one"),
        ));
    }
    check_name(kind).map_err(|why| Refusal::invalid("kind", why))?;
    let size = json::size(object).unwrap_or(usize::MAX);
    if size > MAX_OBJECT {
        return Err(Refusal::invalid(
            "object",
            format!("has {size} bytes; at most {MAX_OBJECT} are allowed"),
        ));
    }
    let mut object = object.clone();
    json::settle(&mut object).map_err(|why| Refusal::invalid("object", why))?;
    Ok(one(Event::RunRecorded {
        id: run.id,
        project: run.project.clone(),
        kind: kind.to_owned(),
        object,
        by: actor.by.clone(),
    }))
}

fn is_same(run: &Run, project: &str, new: &NewRun) -> bool {
    run.project == project
        && run.task == new.task
        && run.intent == new.intent
        && run.repo == new.repo
        && run.base == new.base
        && run.branch == new.branch
        && run.origin == new.origin
}

fn is_running(run: &Run) -> Result<(), Refusal> {
    if run.status == RunStatus::Running { Ok(()) } else { Err(over(run)) }
}

/// Checks that the verdict may be asked for: again only if the first question had no outcome.
fn may_finish(state: &State, run: &Run) -> Result<(), Refusal> {
    match (run.status, run.decision) {
        (RunStatus::Running, _) => Ok(()),
        (RunStatus::Decided, _) => Err(over(run)),
        (RunStatus::Finished, id) => match state.siblings.iter().find(|decision| Some(decision.id) == id) {
            Some(decision) if decision.status == Status::Pending || decision.answer.is_some() => {
                Err(over(run))
            }
            // The first question was cancelled, timed out without an answer, or was removed.
            _ => Ok(()),
        },
    }
}

/// Returns the refusal of a run that accepts nothing more.
pub(super) fn over(run: &Run) -> Refusal {
    let why = match (&run.verdict, run.decision) {
        (Some(verdict), _) => format!("its verdict was {}, by {}", verdict.verdict.name(), verdict.by),
        (None, Some(decision)) => format!("its verdict is pending in {decision}"),
        (None, None) => "it is finished".into(),
    };
    Refusal::RunOver { id: run.id.short(), why: format!("takes nothing more: {why}") }
}

/// Checks that a commit name is a full hash.
pub(super) fn check_commit(place: &str, name: &str) -> Result<(), Refusal> {
    let is_hex = name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hex && matches!(name.len(), 40 | 64) {
        Ok(())
    } else {
        Err(Refusal::invalid(place, "must be a commit: 40 or 64 hex digits in lower case"))
    }
}

pub(super) fn length(place: &str, text: Option<&str>, limit: usize) -> Result<(), Refusal> {
    check_length(text.unwrap_or_default(), limit).map_err(|why| Refusal::invalid(place, why))
}

fn one(event: Event) -> Ruling {
    Ruling { events: vec![event], ..Ruling::default() }
}
