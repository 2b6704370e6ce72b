//! Asking.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Decision, OnTimeout, Origin, Owner, OwnerKind, Priority, Source, Status, digest, outcome, supersede,
};
use crate::command::{Actor, Role, Ruling, State};
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::field::definition;
use crate::json::Values;
use crate::refusal::{Fault, Refusal};
use crate::text::{MAX_BODY, MAX_PROMPT, MAX_TITLE, check_length, check_name};
use crate::{Field, Opt, Project, Span, Timestamp, form};

/// What is sent to ask. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct New {
    /// Where it belongs; `default` if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Why it is asked; `approval` if there is a subject, else `question`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// A line for lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The question in full, as markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What is asked: at least one.
    pub fields: Vec<Field>,
    /// What can be taken instead of answering.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outs: Vec<Opt>,
    /// Who waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// The agent or session to wake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_by: Option<String>,
    /// Who is asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assignees: Vec<String>,
    /// How urgent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// How long until silence settles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
    /// When silence settles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// How silence settles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_timeout: Option<OnTimeout>,
    /// The answer that silence gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Values>,
    /// The last round of guidance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// The exact thing decided on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Value>,
    /// What a foreign message needs to be answered in kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Refuse while another decision of the same owner is pending.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
}

impl New {
    /// Returns the project it will belong to.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }
}

const MOST_ITERATIONS: u32 = 100;
const MOST_ASSIGNEES: usize = 100;

pub(crate) fn create(state: &State, actor: &Actor, new: &New, now: Timestamp) -> Result<Ruling, Refusal> {
    let decision = check(state, actor, new.clone(), now)?;
    let mut events = Vec::new();
    if new.exclusive
        && let Some(owner) = &decision.owner
        && let Some(pending) = state.siblings.iter().find(|other| other.status == Status::Pending)
    {
        return Err(Refusal::ItemBusy { item: owner.id.clone(), id: pending.id });
    }
    if let Some(owner) = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Item)
        && state.item.is_none()
    {
        events.push(Event::ItemCreated {
            id: owner.id.clone(),
            project: decision.project.clone(),
            title: None,
        });
    }
    events.extend(supersede::superseded_by(&decision, &state.siblings));
    let effects = vec![Effect::Tell { occasion: Occasion::Create, id: decision.id }];
    events.push(Event::Created(Box::new(decision)));
    Ok(Ruling { events, effects, ..Ruling::default() })
}

/// Checks all of it and completes what was left out.
fn check(state: &State, actor: &Actor, mut new: New, now: Timestamp) -> Result<Decision, Refusal> {
    let mut faults = Vec::new();
    check_texts(&mut new, &mut faults);
    check_asked(&mut new.fields, &mut new.outs, &mut faults);
    let source =
        new.source.unwrap_or(if new.subject.is_some() { Source::Approval } else { Source::Question });
    mark_refusals(source, &mut new.fields);
    let deadline = check_deadline(&new, now, &mut faults);
    let max_iterations = new.max_iterations.unwrap_or(3);
    if !(1..=MOST_ITERATIONS).contains(&max_iterations) {
        faults.push(Fault::new("max_iterations", format!("must be from 1 to {MOST_ITERATIONS}")));
    }
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    let declared = if new.default.is_some() { OnTimeout::Default } else { OnTimeout::Expire };
    let mut decision = Decision {
        id: state.fresh.ok_or_else(|| Refusal::invalid("id", "no fresh id was given"))?,
        project: new.project().to_owned(),
        status: Status::Pending,
        source,
        title: new.title,
        prompt: new.prompt,
        fields: new.fields,
        outs: new.outs,
        owner: new.owner,
        requested_by: new.requested_by,
        assignees: new.assignees,
        priority: new.priority.unwrap_or_default(),
        iteration: 1,
        max_iterations,
        prior: None,
        next: None,
        guidance: None,
        default: new.default,
        deadline,
        on_timeout: new.on_timeout.unwrap_or(declared),
        draft: Values::new(),
        subject: new.subject,
        subject_digest: None,
        digest: String::new(),
        origin: new.origin,
        created_at: now,
        settled_at: None,
        superseded_by: None,
        consumed_at: None,
        reason: None,
        answer: None,
        asked_with: actor.credential.clone(),
    };
    check_silence(&mut decision)?;
    check_agent_default(state, actor, &decision)?;
    digest::seal(&mut decision)?;
    check_size(&decision)?;
    Ok(decision)
}

fn check_texts(new: &mut New, faults: &mut Vec<Fault>) {
    let filled = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    if !filled(&new.title) {
        new.title = None;
    }
    if !filled(&new.prompt) {
        new.prompt = None;
    }
    if new.title.is_none() && new.prompt.is_none() {
        faults.push(Fault::new("prompt", "give a prompt or a title: what is asked?"));
    }
    check_title(new.title.as_deref(), faults);
    check_prompt(new.prompt.as_deref(), faults);
    let mut name = |place: &str, name: &str| {
        if let Err(why) = check_name(name) {
            faults.push(Fault::new(place, format!("{:?} {why}", crate::text::inert_line(name))));
        }
    };
    name("project", new.project());
    if let Some(requested_by) = &new.requested_by {
        name("requested_by", requested_by);
    }
    for assignee in &new.assignees {
        name("assignees", assignee);
    }
    if new.assignees.len() > MOST_ASSIGNEES {
        faults.push(Fault::new("assignees", format!("at most {MOST_ASSIGNEES} can be asked")));
    }
    if new.exclusive && new.owner.is_none() {
        faults.push(Fault::new("exclusive", "needs an owner"));
    }
}

pub(super) fn check_title(title: Option<&str>, faults: &mut Vec<Fault>) {
    let length = title.map_or(0, |title| title.chars().count());
    if length > MAX_TITLE {
        faults.push(Fault::new("title", format!("has {length} characters; at most {MAX_TITLE} are taken")));
    }
}

pub(super) fn check_prompt(prompt: Option<&str>, faults: &mut Vec<Fault>) {
    if let Err(why) = check_length(prompt.unwrap_or_default(), MAX_PROMPT) {
        faults.push(Fault::new("prompt", why));
    }
}

/// Completes fields and outs, and collects their faults.
pub(super) fn check_asked(fields: &mut [Field], outs: &mut [Opt], faults: &mut Vec<Fault>) {
    definition::complete(fields, faults);
    definition::complete_options("outs", outs, faults);
    form::check_references(fields, faults);
    for out in outs.iter() {
        if fields.iter().any(|field| field.option(&out.id).is_some()) {
            faults.push(Fault::new("outs", format!("{:?} is an option already; ids must differ", out.id)));
        }
    }
}

/// Marks the options that are a no by their id. What a foreign party calls `no` may mean anything.
pub(super) fn mark_refusals(source: Source, fields: &mut [Field]) {
    if source == Source::Request {
        return;
    }
    let is_no = |id: &str| match id {
        "no" | "deny" | "revise" => true,
        "retry" | "abandon" => source == Source::Verdict,
        _ => false,
    };
    for option in fields.iter_mut().flat_map(|field| &mut field.options) {
        option.refuses |= is_no(&option.id);
    }
}

fn check_deadline(new: &New, now: Timestamp, faults: &mut Vec<Fault>) -> Option<Timestamp> {
    let deadline = match (new.timeout, new.deadline) {
        (Some(_), Some(_)) => {
            faults.push(Fault::new("timeout", "give a timeout or a deadline, not both"));
            None
        }
        (Some(timeout), None) if timeout.as_millis() <= 0 => {
            faults.push(Fault::new("timeout", "must be longer than nothing, e.g. 30m"));
            None
        }
        (Some(timeout), None) => now.checked_add(timeout),
        (None, deadline) => deadline,
    };
    if new.deadline.is_some_and(|deadline| deadline <= now) {
        faults.push(Fault::new("deadline", "has passed already"));
    }
    if deadline.is_none() && faults.is_empty() && new.on_timeout.is_some_and(|on| on != OnTimeout::Expire) {
        faults.push(Fault::new("on_timeout", "needs a timeout or a deadline"));
    }
    deadline
}

/// Silence is not consent: checks that what the deadline would answer is whole, and a no where it must be.
pub(super) fn check_silence(decision: &mut Decision) -> Result<(), Refusal> {
    if decision.on_timeout == OnTimeout::Default && decision.default.is_none() {
        return Err(Refusal::invalid("on_timeout", "default needs a default to take"));
    }
    if let Some(default) = decision.default.take() {
        let (values, out) = outcome::read_default(decision, &default)?;
        let must_refuse = matches!(decision.source, Source::Approval | Source::Plan | Source::Verdict)
            || decision.subject.is_some();
        if must_refuse && !outcome::refuses(decision, &values, out.as_deref()) {
            let message = "for an approval, a plan, a verdict or anything with a subject, silence may only refuse: \
                           take a refusing option or an out";
            return Err(Refusal::invalid("default", message));
        }
        decision.default = Some(match out {
            Some(out) => Values::from_iter([("out".to_owned(), Value::String(out))]),
            None => values,
        });
    }
    if decision.on_timeout == OnTimeout::Deny {
        outcome::denial(decision)?;
    }
    Ok(())
}

/// An agent's question must stand long enough to be seen before its own default answers it.
fn check_agent_default(state: &State, actor: &Actor, decision: &Decision) -> Result<(), Refusal> {
    let least = state.project.min_timeout;
    if actor.role == Some(Role::Agent)
        && decision.on_timeout == OnTimeout::Default
        && decision.deadline.is_some_and(|deadline| deadline.since(decision.created_at) < least)
    {
        return Err(Refusal::invalid(
            "timeout",
            format!("must be at least {least} where the default is taken"),
        ));
    }
    Ok(())
}

pub(super) fn check_size(decision: &Decision) -> Result<(), Refusal> {
    let size = serde_json::to_vec(decision).map_or(usize::MAX, |body| body.len());
    if size > MAX_BODY {
        return Err(Refusal::invalid(
            "decision",
            format!("has {size} bytes as JSON; at most {MAX_BODY} are taken"),
        ));
    }
    Ok(())
}
