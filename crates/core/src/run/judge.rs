//! Verdicts without a person: given by a rule or by the agent that did the work, if the project allows it.
//!
//! Such a verdict is a decision like any other, settled at the moment it is made, so its record, its receipt and its
//! execution are the same. If it cannot be carried out, a person is asked.

use serde_json::json;

use super::conclude::{self, AskReason};
use super::finding::{current, finding};
use super::{Evidence, Judge, Judgement, Run, Verdict, ask, decide};
use crate::decision::number;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::text::MAX_MESSAGE;
use crate::{Actor, Answer, Auth, Effect, Event, Timestamp, form};

pub(super) fn judge(
    state: &State,
    actor: &Actor,
    run: &Run,
    judgement: &Judgement,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let by_whom = judgement.judge;
    // Without a patch set there is nothing to decide, so a job's supervisor needs no permission to conclude that.
    let is_empty = by_whom == Judge::Auto && actor.auth == Auth::System && run.patchsets.is_empty();
    if !is_empty && !state.project.verdicts.contains(&by_whom) {
        return Err(Refusal::Forbidden(format!(
            "finish with --verdict ask: in project {} only a person can give this verdict; an admin can change that: \
             hold project set {} --verdicts {}",
            run.project,
            run.project,
            by_whom.name()
        )));
    }
    let given = match (by_whom, judgement.verdict) {
        (Judge::Auto, None) => by_rule(run, judgement),
        (Judge::Auto, Some(_)) => {
            return Err(Refusal::invalid(
                "verdict",
                "finish as agent to give a verdict; the rule finds its own",
            ));
        }
        (Judge::Agent, Some(_)) => judgement.clone(),
        (Judge::Agent, None) => {
            let names: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.name()).collect();
            return Err(Refusal::invalid("verdict", format!("say which: {}", names.join(", "))));
        }
    };
    decide::length("rationale", given.rationale.as_deref(), MAX_MESSAGE)?;
    let question = ask::question(run, None, None, &[]);
    let why = AskReason { reason: None, judge: Some(by_whom) };
    let mut ruling = conclude::asked_with(state, actor, run, &question, why, now)?;
    let Some(asked) = ruling.events.iter().find_map(|event| match event {
        Event::Created(decision) => Some(decision.clone()),
        _ => None,
    }) else {
        return Ok(ruling);
    };
    let filling = form::accept(&asked.fields, &values(run, &given));
    if !filling.faults.is_empty() {
        return Err(Refusal::Invalid(filling.faults));
    }
    let (by, auth) = match by_whom {
        Judge::Auto => ("system:auto".to_owned(), Auth::System),
        Judge::Agent => (actor.by.clone(), actor.auth),
    };
    let message = given.rationale.filter(|text| !text.trim().is_empty());
    let via = actor.via.clone();
    let written = std::collections::BTreeMap::new();
    let (values, digest) = (filling.values, Some(asked.digest.clone()));
    let (choices, chosen) = (number::numbers(&asked, &values, None), number::picks(&asked, &values, None));
    let answer = Answer {
        values,
        out: None,
        message,
        written,
        seen: None,
        digest,
        by,
        on_behalf_of: None,
        via,
        channel: None,
        auth,
        at: now,
    };
    let id = asked.id;
    ruling.events.push(Event::Resolved { id, project: run.project.clone(), answer, choices, chosen });
    // No notice is sent about a question that needs no answer.
    ruling.effects = vec![Effect::CarryOut { id }];
    Ok(ruling)
}

fn values(run: &Run, given: &Judgement) -> Values {
    let mut values = Values::new();
    let Some(verdict) = given.verdict else { return values };
    values.insert("verdict".into(), json!(verdict.name()));
    match verdict {
        Verdict::Commit => {
            let chosen = match given.patchset {
                Some(id) => run.patchset(id).map_or_else(|| id.to_string(), |set| set.number().to_string()),
                None => run.patchsets.last().map(|last| last.number().to_string()).unwrap_or_default(),
            };
            values.insert("patchset".into(), json!(chosen));
        }
        Verdict::Retry => {
            values.extend(given.parameters.as_ref().map(|text| ("parameters".into(), json!(text))));
        }
        Verdict::Checkpoint | Verdict::Abandon | Verdict::Rollback => {}
    }
    values
}

/// Derives the verdict from the evidence: commit if all checks of the last patch set passed, retry if one failed,
/// checkpoint for a person if nothing checked it, abandon if nothing was proposed.
fn by_rule(run: &Run, judgement: &Judgement) -> Judgement {
    let Some(last) = run.patchsets.last() else {
        return ruled(judgement, Verdict::Abandon, "Nothing was proposed.");
    };
    let looked: Vec<&Evidence> =
        current(run).filter(|found| found.patchset.is_none_or(|id| id == last.id)).collect();
    let failed: Vec<String> =
        looked.iter().filter(|found| found.exit_code != Some(0)).map(|found| finding(run, found)).collect();
    match (looked.len(), failed.is_empty()) {
        (0, _) => ruled(judgement, Verdict::Checkpoint, "Nothing was found about the last patch set."),
        (_, false) => ruled(judgement, Verdict::Retry, &failed.join("\n")),
        (count, true) => ruled(
            judgement,
            Verdict::Commit,
            &format!("All that looked at the last patch set passed: {count}."),
        ),
    }
}

fn ruled(judgement: &Judgement, verdict: Verdict, why: &str) -> Judgement {
    let why = why.chars().take(MAX_MESSAGE / 2).collect();
    let rationale = judgement.rationale.clone().or(Some(why));
    Judgement { verdict: Some(verdict), rationale, patchset: None, ..judgement.clone() }
}
