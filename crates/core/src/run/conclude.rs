//! The end of a run: its verdict was carried out, or could not be.

use super::{
    Conclusion, Judge, NewRun, ObjectId, Run, RunOrigin, RunVerdict, Verdict, again, ask, comment, decide,
};
use crate::decision::New;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Actor, Answer, Decision, DecisionId, Event, Timestamp, decision};

/// Records that a verdict was carried out, and opens the following run. Everything is checked against the decision.
pub(super) fn conclude(
    state: &State,
    actor: &Actor,
    run: &Run,
    conclusion: &Conclusion,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if let Some(verdict) = &run.verdict {
        // A process that was killed between the commit and its record repeats the request.
        let same = verdict.decision == Some(conclusion.decision) && verdict.verdict == conclusion.verdict;
        return if same {
            Ok(Ruling { replayed: true, ..Ruling::default() })
        } else {
            Err(decide::over(run))
        };
    }
    let answer = given(state, run, conclusion.decision)?;
    let said = verdict_of(answer);
    if said != Some(conclusion.verdict) {
        let said = said.map_or("nothing", Verdict::name);
        return wrong(
            "verdict",
            format!("{} was carried out, but {said} was decided", conclusion.verdict.name()),
        );
    }
    let patchset = match conclusion.verdict {
        Verdict::Commit => Some(chosen(run, answer)?),
        _ => None,
    };
    check(run, conclusion)?;
    if conclusion.job != run.job {
        return wrong("job", "is not the one that worked on this run".into());
    }
    let parameters = text(answer, "parameters");
    let verdict = RunVerdict {
        id: conclusion.id,
        verdict: conclusion.verdict,
        patchset,
        commit: conclusion.commit.clone(),
        checkpoint: conclusion.checkpoint.clone(),
        rationale: answer.message.clone(),
        parameters: parameters.clone(),
        decision: Some(conclusion.decision),
        judge: run.judge,
        notes: conclusion.notes.clone(),
        next: conclusion.next.as_ref().map(|(id, _)| *id),
        by: answer.by.clone(),
        auth: answer.auth,
        at: answer.at,
    };
    let mut events =
        vec![Event::RunDecided { id: run.id, project: run.project.clone(), verdict: Box::new(verdict) }];
    if let Some((id, base)) = &conclusion.next {
        let guidance = comment::guidance(run, answer.message.as_deref());
        let again =
            again::retry_job(state, run, *id, guidance.as_deref(), parameters.as_deref(), answer, now);
        let next = NewRun {
            task: run.task.clone(),
            intent: run.intent.clone(),
            repo: run.repo.clone(),
            base: base.clone(),
            branch: run.branch.clone(),
            origin: Some(RunOrigin::Retry { run: run.id }),
            reverts: run.reverts.clone(),
            guidance,
            parameters,
            job: again.job,
            saved: None,
        };
        events.push(decide::started(state, actor, &run.project, *id, &next, now)?);
        events.extend(again.events);
    }
    Ok(Ruling { events, ..Ruling::default() })
}

/// Records that a verdict could not be carried out, and asks again.
pub(super) fn fail(
    state: &State,
    actor: &Actor,
    run: &Run,
    decision: DecisionId,
    (reason, blocks): (&str, &[String]),
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    if run.verdict.is_some() || run.decision != Some(decision) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    given(state, run, decision)?;
    let assignees = state.decision()?.assignees.clone();
    let question = ask::question(run, None, Some(reason), &assignees);
    let question = New { blocks: blocks.to_vec(), ..question };
    asked_with(state, actor, run, &question, AskReason { reason: Some(reason.to_owned()), judge: None }, now)
}

/// Details of a question: why it is asked again, and who answers it at once.
#[derive(Default)]
pub(super) struct AskReason {
    pub(super) reason: Option<String>,
    pub(super) judge: Option<Judge>,
}

/// Asks the question, and records it with the run.
pub(super) fn asked_with(
    state: &State,
    actor: &Actor,
    run: &Run,
    question: &decision::New,
    why: AskReason,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let mut ruling = decision::create(state, actor, question, now)?;
    let Some(decision_id) = ruling.events.iter().find_map(|event| match event {
        Event::Created(decision) => Some(decision.id),
        _ => None,
    }) else {
        return Ok(ruling);
    };
    ruling.events.push(Event::RunAsked {
        id: run.id,
        project: run.project.clone(),
        decision_id,
        reason: why.reason,
        judge: why.judge,
        by: actor.by.clone(),
    });
    Ok(ruling)
}

/// Returns a decision's answer about a run.
fn given<'a>(state: &'a State, run: &Run, id: DecisionId) -> Result<&'a Answer, Refusal> {
    let decision: &Decision = state.decision()?;
    if decision.id != id || run.decision != Some(id) || decision.owner != Some(run.owner()) {
        return wrong(
            "decision",
            format!("{id} is not the one that asks for the verdict on run {}", run.id.short()),
        );
    }
    decision.answer.as_ref().ok_or(Refusal::StillPending { id })
}

/// Returns the verdict in an answer.
pub(super) fn verdict_of(answer: &Answer) -> Option<Verdict> {
    text(answer, "verdict").as_deref().and_then(Verdict::from_name)
}

fn text(answer: &Answer, field: &str) -> Option<String> {
    answer.values.get(field).and_then(serde_json::Value::as_str).map(str::to_owned)
}

/// Returns the chosen patch set, which must belong to this run.
fn chosen(run: &Run, answer: &Answer) -> Result<ObjectId, Refusal> {
    match run.chosen(answer) {
        Some(patchset) => Ok(patchset.id),
        None => wrong("patchset", format!("no patch set of run {} was chosen", run.id.short())),
    }
}

/// Checks what each verdict must come with, and must not.
fn check(run: &Run, conclusion: &Conclusion) -> Result<(), Refusal> {
    let Conclusion { verdict, commit, checkpoint, next, .. } = conclusion;
    let commits = matches!(verdict, Verdict::Commit | Verdict::Rollback);
    if let Some(commit) = commit {
        decide::check_commit("commit", commit)?;
    }
    if commit.is_some() != commits {
        let why = if commits {
            "is missing: give the resulting commit"
        } else {
            "does not result from this verdict"
        };
        return wrong("commit", why.into());
    }
    if checkpoint.is_some() != (*verdict == Verdict::Checkpoint) {
        return wrong("checkpoint", "must be given for a checkpoint, and only for one".into());
    }
    if next.is_some() != (*verdict == Verdict::Retry) {
        return wrong("next", "must be given for a retry, and only for a retry".into());
    }
    if *verdict == Verdict::Rollback && run.reverts.is_none() {
        return wrong("verdict", "there is nothing to revert".into());
    }
    Ok(())
}

fn wrong<T>(field: &str, why: String) -> Result<T, Refusal> {
    Err(Refusal::invalid(field, why))
}
