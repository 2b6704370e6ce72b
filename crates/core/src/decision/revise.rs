//! The asker changes what it asks: same id, new digest.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::settled;
use super::{Decision, Status, create, digest, guide};
use crate::command::{Actor, Role, Ruling, State};
use crate::event::Event;
use crate::json::Values;
use crate::refusal::Refusal;
use crate::{Field, form};

/// What is sent to revise; what is left out stays. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Values>,
}

pub(crate) fn revise(state: &State, actor: &Actor, revision: &Revision) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    may_act_for_asker(decision, actor, "revise")?;
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    if *revision == Revision::default() {
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
    let mut faults = Vec::new();
    create::check_title(revised.title.as_deref(), &mut faults);
    create::check_prompt(revised.prompt.as_deref(), &mut faults);
    if let Some(fields) = &revision.fields {
        revised.fields.clone_from(fields);
        create::check_asked(&mut revised.fields, &mut revised.outs, &mut faults);
        create::mark_refusals(revised.source, &mut revised.fields);
    }
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    guide::offer_accept(&mut revised);
    create::check_silence(&mut revised)?;
    revised.draft = form::accept_draft(&revised.fields, &decision.draft).values;
    digest::seal(&mut revised)?;
    create::check_size(&revised)?;
    let event = Event::Revised {
        id: revised.id,
        project: revised.project,
        title: revised.title,
        prompt: revised.prompt,
        fields: revised.fields,
        subject: revised.subject,
        subject_digest: revised.subject_digest,
        default: revised.default,
        draft: revised.draft,
        digest: revised.digest,
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// What only the asker does, an agent or person does only to what it asked itself.
pub(super) fn may_act_for_asker(decision: &Decision, actor: &Actor, verb: &str) -> Result<(), Refusal> {
    match actor.role {
        Some(Role::Agent | Role::Person) if actor.credential != decision.asked_with => {
            Err(Refusal::Forbidden(format!("only whoever asked may {verb} it")))
        }
        _ => Ok(()),
    }
}
