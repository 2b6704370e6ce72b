//! Revising: the asker changes what it asks; the id stays, the digest changes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::given::settled;
use super::{Decision, Status, accept, asked, silence};
use crate::actor::{Actor, Role};
use crate::effect::{Effect, Occasion};
use crate::event::{Event, Revised};
use crate::json::Values;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Field, Timestamp, form, rule};

/// A change to what is asked; what is left out stays as it is. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Revision {
    /// A new title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A new prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// New fields, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
    /// A new subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Value>,
    /// A new default, which new fields may need.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Values>,
    /// The digest of the version being revised; the revision is refused if another came in between.
    #[serde(skip)]
    pub over: Option<String>,
}

pub(crate) fn revise(
    state: &State,
    actor: &Actor,
    revision: &Revision,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_act_for_asker(decision, actor, "revise")?;
    if decision.rule.is_some() {
        return Err(Refusal::Forbidden(
            "a question that Holdpoint asks about a rule cannot be revised".into(),
        ));
    }
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    if revision.over.as_ref().is_some_and(|over| *over != decision.digest) {
        return Err(Refusal::Stale { id: decision.id, digest: decision.digest.clone() });
    }
    if *revision == (Revision { over: revision.over.clone(), ..Revision::default() }) {
        return Err(Refusal::invalid(
            "revision",
            "changes nothing; give a title, a prompt, fields or a subject",
        ));
    }
    let mut revised = Decision {
        title: revision.title.clone().or_else(|| decision.title.clone()),
        prompt: revision.prompt.clone().or_else(|| decision.prompt.clone()),
        subject: revision.subject.clone().or_else(|| decision.subject.clone()),
        default: revision.default.clone().or_else(|| decision.default.clone()),
        ..decision.clone()
    };
    match &revision.fields {
        Some(fields) => revised.fields.clone_from(fields),
        None => accept::withdraw_accept(&mut revised.fields),
    }
    let mut faults = Vec::new();
    asked::complete(&mut revised, &mut faults);
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    accept::offer_accept(&mut revised);
    super::create::demand(state, actor, &mut revised)?;
    match &revision.default {
        Some(_) => silence::check(&mut revised)?,
        None => check_old_default(decision, &mut revised)?,
    }
    revised.draft = form::accept_draft(&revised.fields, &decision.draft).values;
    asked::seal(&mut revised, None)?;
    if revised == *decision {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    if revised.digest != decision.digest {
        // Picked options belonged to the old question, so they are dropped; typed text is kept.
        let same = revised.title == decision.title
            && revised.prompt == decision.prompt
            && revised.subject == decision.subject;
        let stands = |field: &Field| !field.kind.is_pick() || same && decision.fields.contains(field);
        revised.draft.retain(|id, _| revised.fields.iter().any(|field| field.id == *id && stands(field)));
        revised.draft = form::accept_draft(&revised.fields, &revised.draft).values;
    }
    silence::check_agent(state.project.min_timeout, actor, &revised, now)?;
    let (by_rules, is_settled) = rule::settled_by(state, &revised, now, rule::Scope::Refusals);
    let id = revised.id;
    let event = Event::Revised(Box::new(Revised {
        id,
        project: revised.project,
        title: revised.title,
        prompt: revised.prompt,
        fields: revised.fields,
        subject: revised.subject,
        subject_digest: revised.subject_digest,
        default: revised.default,
        draft: revised.draft,
        digest: revised.digest,
        needs: revised.needs,
        needs_person: revised.needs_person,
        requester: revised.requester,
        cleared: decision.votes.iter().map(|vote| vote.by.clone()).collect(),
        by: actor.by.clone(),
    }));
    let told = is_settled.then_some(Effect::Tell { occasion: Occasion::Respond, id });
    let events = std::iter::once(event).chain(by_rules).collect();
    Ok(Ruling { events, effects: told.into_iter().collect(), ..Ruling::default() })
}

/// Checks that the earlier default still fits; if not, the asker is told to give another one.
fn check_old_default(decision: &Decision, revised: &mut Decision) -> Result<(), Refusal> {
    const HINT: &str = "give a new default too: the previous one no longer fits";
    let out = decision.default.as_ref().and_then(|default| silence::default_out(decision, default));
    if out.is_some() && revised.field("out").is_some() {
        return Err(Refusal::invalid("default", format!("\"out\" is a field now; {HINT}")));
    }
    silence::check(revised).map_err(|refusal| match refusal {
        Refusal::Invalid(mut faults) => {
            for fault in faults.iter_mut().filter(|fault| fault.field.starts_with("default")) {
                fault.message = format!("{}; {HINT}", fault.message);
            }
            Refusal::Invalid(faults)
        }
        other => other,
    })
}

/// Refuses an agent or person that acts for the asker, unless it asked the decision itself.
pub(super) fn may_act_for_asker(decision: &Decision, actor: &Actor, verb: &str) -> Result<(), Refusal> {
    let bound = actor.is_program() || actor.role == Some(Role::Person);
    if bound && !actor.asked(decision.asked_with.as_deref()) {
        return Err(Refusal::Forbidden(format!("only the asker may {verb} it")));
    }
    Ok(())
}
