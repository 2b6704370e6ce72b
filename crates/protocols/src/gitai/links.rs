//! The links between objects, checked against the known objects. Links go from child to parent; their targets must
//! exist, have the right type, and be consistent.

use std::collections::BTreeMap;

use holdpoint_core::run::ObjectId;

use super::Object;
use super::run::{Decision, DecisionType, PatchSet};

/// Objects by their ids.
pub type Known<'a> = BTreeMap<ObjectId, &'a Object>;

/// Returns what is wrong with an object among the known ones, which may include it.
pub fn check(object: &Object, known: &Known<'_>) -> Result<(), String> {
    match object {
        Object::Intent(intent) => {
            distinct("parents", &intent.parents, intent.header.object_id)?;
            intent
                .parents
                .iter()
                .try_for_each(|id| is(known, *id, "intent", |it| matches!(it, Object::Intent(_))))
        }
        Object::IntentEvent(event) => {
            is(known, event.intent_id, "intent", |it| matches!(it, Object::Intent(_)))
        }
        Object::Plan(plan) => {
            is(known, plan.intent, "intent", |it| matches!(it, Object::Intent(_)))?;
            distinct("parents", &plan.parents, plan.header.object_id)?;
            for id in &plan.parents {
                match known.get(id) {
                    Some(Object::Plan(parent)) if parent.intent == plan.intent => {}
                    Some(Object::Plan(parent)) => {
                        return Err(format!(
                            "plan parents must belong to the same intent: expected {}, got {}",
                            plan.intent, parent.intent
                        ));
                    }
                    _ => return Err(format!("there is no plan {id}")),
                }
            }
            let steps: Vec<ObjectId> = plan.steps.iter().map(|step| step.step_id).collect();
            distinct("steps", &steps, plan.header.object_id)
        }
        Object::PlanStepEvent(event) => {
            is_run(known, event.run_id)?;
            is_step(known, event.plan_id, event.step_id)
        }
        Object::Task(task) => {
            task.intent.map_or(Ok(()), |id| is(known, id, "intent", |it| matches!(it, Object::Intent(_))))
        }
        Object::TaskEvent(event) => {
            is(known, event.task_id, "task", |it| matches!(it, Object::Task(_)))?;
            match event.run_id.map(|id| (id, known.get(&id))) {
                None => Ok(()),
                Some((_, Some(Object::Run(run)))) if run.task == event.task_id => Ok(()),
                Some((id, _)) => Err(format!("run {id} is none of task {}", event.task_id)),
            }
        }
        Object::Run(run) => {
            is(known, run.task, "task", |it| matches!(it, Object::Task(_)))?;
            run.plan.map_or(Ok(()), |id| is(known, id, "plan", |it| matches!(it, Object::Plan(_))))?;
            let snapshot = |it: &Object| matches!(it, Object::ContextSnapshot(_));
            run.snapshot.map_or(Ok(()), |id| is(known, id, "context snapshot", snapshot))
        }
        Object::RunEvent(event) => {
            is_run(known, event.run_id)?;
            event.patchset_id.map_or(Ok(()), |id| patchset_of(known, id, event.run_id).map(drop))
        }
        Object::RunUsage(usage) => is_run(known, usage.run_id),
        Object::Provenance(provenance) => is_run(known, provenance.run_id),
        Object::ToolInvocation(invocation) => is_run(known, invocation.run_id),
        Object::PatchSet(patchset) => is_run(known, patchset.run),
        Object::Evidence(evidence) => {
            is_run(known, evidence.run_id)?;
            evidence.patchset_id.map_or(Ok(()), |id| patchset_of(known, id, evidence.run_id).map(drop))
        }
        Object::Decision(decision) => verdict(decision, known),
        Object::ContextFrame(frame) => {
            frame.run_id.map_or(Ok(()), |id| is_run(known, id))?;
            let intent = |it: &Object| matches!(it, Object::Intent(_));
            frame.intent_id.map_or(Ok(()), |id| is(known, id, "intent", intent))?;
            match (frame.plan_id, frame.step_id) {
                (Some(plan), Some(step)) => is_step(known, plan, step),
                (Some(plan), None) => is(known, plan, "plan", |it| matches!(it, Object::Plan(_))),
                (None, Some(step)) => Err(format!("names step {step} and no plan")),
                (None, None) => Ok(()),
            }
        }
        Object::ContextSnapshot(_) => Ok(()),
    }
}

/// Checks what a verdict requires.
fn verdict(decision: &Decision, known: &Known<'_>) -> Result<(), String> {
    is_run(known, decision.run_id)?;
    if let Some(id) = decision.chosen_patchset_id {
        patchset_of(known, id, decision.run_id)?;
    }
    match decision.decision_type {
        DecisionType::Commit if decision.chosen_patchset_id.is_none() => {
            Err("commits, but has no chosen_patchset_id".into())
        }
        DecisionType::Commit if decision.result_commit_sha.is_none() => {
            Err("commits, but has no result_commit_sha".into())
        }
        DecisionType::Checkpoint if decision.checkpoint_id.is_none() => {
            Err("is a checkpoint, but has no checkpoint_id".into())
        }
        _ => Ok(()),
    }
}

fn patchset_of<'a>(known: &Known<'a>, id: ObjectId, run: ObjectId) -> Result<&'a PatchSet, String> {
    match known.get(&id) {
        Some(Object::PatchSet(patchset)) if patchset.run == run => Ok(patchset),
        Some(Object::PatchSet(patchset)) => {
            Err(format!("patch set {id} belongs to run {}, not {run}", patchset.run))
        }
        _ => Err(format!("there is no patch set {id}")),
    }
}

fn is_run(known: &Known<'_>, id: ObjectId) -> Result<(), String> {
    is(known, id, "run", |it| matches!(it, Object::Run(_)))
}

fn is_step(known: &Known<'_>, plan: ObjectId, step: ObjectId) -> Result<(), String> {
    match known.get(&plan) {
        Some(Object::Plan(found)) if found.steps.iter().any(|known| known.step_id == step) => Ok(()),
        Some(Object::Plan(_)) => Err(format!("plan {plan} has no step {step}")),
        _ => Err(format!("there is no plan {plan}")),
    }
}

fn is(known: &Known<'_>, id: ObjectId, what: &str, fits: impl Fn(&Object) -> bool) -> Result<(), String> {
    if known.get(&id).is_some_and(|object| fits(object)) {
        Ok(())
    } else {
        Err(format!("there is no {what} {id}"))
    }
}

fn distinct(what: &str, ids: &[ObjectId], own: ObjectId) -> Result<(), String> {
    for (at, id) in ids.iter().enumerate() {
        if *id == own {
            return Err(format!("its {what} name itself"));
        }
        if ids[..at].contains(id) {
            return Err(format!("its {what} name {id} twice"));
        }
    }
    Ok(())
}
