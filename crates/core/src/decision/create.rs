//! Asking a decision.

mod ahead;

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Callback, Decision, OnTimeout, Origin, Owner, Priority, Source, Status, asked, consume, refusing,
    silence, supersede,
};
use crate::actor::Actor;
use crate::effect::{Effect, Occasion};
use crate::event::Event;
use crate::json::{self, Values};
use crate::people::{self, Escalation, EscalationStep, Needs};
use crate::refusal::{FieldError, Refusal};
use crate::state::{Ruling, State};
use crate::text::{check_length, check_name, quote};
use crate::{Field, Opt, Project, Span, Timestamp, job, rule};

pub(super) use ahead::SealedAhead;

/// A request for a decision. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of what is sent")]
pub struct New {
    /// The project it belongs to; `default` if not given.
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
    #[cfg_attr(feature = "openapi", schema(required, min_items = 1, max_items = 500))]
    pub fields: Vec<Field>,
    /// Options that can be taken instead of answering.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outs: Vec<Opt>,
    /// Who waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// The agent or session to wake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_by: Option<String>,
    /// Who should answer; anyone if empty.
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
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Values>,
    /// The last round of guidance.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// The exact thing decided on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Value>,
    /// What a foreign message needs to be answered in kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// After which an approval can no longer be used; silence settles it then at the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Work items that are blocked while it is pending, besides the one that owns it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// The asker's own texts, by name: returned with the decision, and not part of any digest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Where to report that it is settled; the settings must list the host. It is never returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback: Option<Box<Callback>>,
    /// How many people must consent, and which. What the project's policies demand is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Box<Needs>>,
    /// Whether only a person who is signed in, or uses a token of their own, may answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// What happens while nobody answers, besides what the project's policies say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalation: Vec<EscalationStep>,
    /// Refuse while another decision of the same owner is pending.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
    /// Ask silently: no notice is sent and no hook runs. Lists and inboxes show it like any other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
    /// Use up the yes at once if a standing rule gives it: the caller acts on the answer to this very request.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub consume: bool,
    /// Whether the agent that asks runs under the server's own account. Only the engine sets it, never a request.
    #[serde(skip)]
    pub same_account: bool,
    /// The digests, where they were computed ahead. Only [`New::seal_ahead`] sets it, never a request.
    #[serde(skip)]
    pub ahead: Option<Box<SealedAhead>>,
}

impl New {
    /// Returns the project it will belong to.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }
}

const MOST_ITERATIONS: u32 = 100;
const MOST_ASSIGNEES: usize = 100;
const MOST_BLOCKED: usize = 20;
const MOST_METADATA: usize = 50;
const LONGEST_METADATA: usize = 1_024;

pub(crate) fn create(state: &State, actor: &Actor, new: &New, now: Timestamp) -> Result<Ruling, Refusal> {
    let decision = check(state, actor, new.clone(), now)?;
    if new.quiet && decision.on_timeout == OnTimeout::Default {
        let why = "cannot have a default: nobody would notice a question that answers itself";
        return Err(Refusal::invalid("quiet", why));
    }
    let mut events = Vec::new();
    if new.exclusive
        && let Some(owner) = &decision.owner
        && let Some(pending) = state.siblings.iter().find(|other| other.status == Status::Pending)
    {
        return Err(Refusal::ItemBusy { item: owner.id.clone(), id: pending.id });
    }
    // The item of a job was recorded with the job.
    let named = decision
        .blocked_items()
        .filter(|item| decision.is_of_item(item) || new.blocks.iter().any(|other| other == item));
    events.extend(named.filter(|item| !state.knows_item(item)).map(|item| Event::ItemCreated {
        id: item.to_owned(),
        project: decision.project.clone(),
        title: None,
        by: actor.by.clone(),
    }));
    let held = decision.is_held();
    events.extend(supersede::superseded_by(&decision, &state.siblings));
    if held {
        let gone = |event: &Event, id| matches!(event, Event::Superseded { id: other, .. } if *other == id);
        let twins = job::cancel_screen_duplicates(state, actor, &decision);
        let twins = twins.into_iter().filter(|(id, _)| !events.iter().any(|event| gone(event, *id)));
        let twins: Vec<Event> = twins.map(|(_, event)| event).collect();
        events.extend(twins);
    }
    let id = decision.id;
    let (by_rules, is_settled) = rule::settled_by(state, &decision, now, rule::Scope::All);
    let told = (!new.quiet && !is_settled).then_some(id);
    // The assignees of decisions that rules create because of this one are notified too, even if this one is quiet.
    let asked = by_rules.iter().filter_map(|event| match event {
        Event::Created(asked) => Some(asked.id),
        _ => None,
    });
    let effects = told.into_iter().chain(asked);
    let effects = effects.map(|id| Effect::Tell { occasion: Occasion::Create, id }).collect();
    let used = if new.consume { consume::at_once(&decision, &by_rules, actor, now) } else { None };
    events.push(Event::Created(Box::new(decision)));
    events.extend(by_rules);
    events.extend(used);
    if is_settled {
        return Ok(Ruling { events, ..Ruling::default() });
    }
    // A caller that holds for an answer is a running agent, so its job waits as well.
    if let Some(job) =
        state.job.as_deref().filter(|job| held && job.status.is_active() && job.order.is_none())
    {
        let waiting = job::waiting(state, job, &events, id, "prompt");
        events.push(Event::StepWaiting(Box::new(waiting)));
    }
    Ok(Ruling { events, effects, ..Ruling::default() })
}

/// Checks a request and fills in what was left out.
pub(crate) fn check(state: &State, actor: &Actor, mut new: New, now: Timestamp) -> Result<Decision, Refusal> {
    let mut faults = Vec::new();
    let ahead = new.ahead.take();
    check_names(&mut new, &mut faults);
    let deadline = check_deadline(&new, now, &mut faults);
    let max_iterations = new.max_iterations.unwrap_or(3);
    if !(1..=MOST_ITERATIONS).contains(&max_iterations) {
        faults.push(FieldError::new("max_iterations", format!("must be from 1 to {MOST_ITERATIONS}")));
    }
    if let Some(origin) = &mut new.origin {
        let extra = json::settle_map(&mut origin.extra);
        faults.extend(extra.err().map(|why| FieldError::new("origin", why)));
    }
    let asked = if new.subject.is_some() { Source::Approval } else { Source::Question };
    let declared = if new.default.is_some() { OnTimeout::Default } else { OnTimeout::Expire };
    // A decision that a job asks blocks the item that the job works on.
    let item = state.job.as_deref().and_then(|job| job.item.clone());
    let item = item.filter(|item| !new.blocks.contains(item));
    new.blocks.extend(item);
    let mut decision = Decision {
        id: state.fresh.ok_or_else(|| Refusal::invalid("id", "no fresh id was given"))?,
        project: new.project().to_owned(),
        status: Status::Pending,
        source: new.source.unwrap_or(asked),
        title: new.title,
        prompt: new.prompt,
        fields: new.fields,
        outs: new.outs,
        owner: new.owner,
        requested_by: new.requested_by,
        asked_by: actor.checked_name(),
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
        valid_until: new.valid_until,
        blocks: new.blocks,
        metadata: new.metadata,
        callback: new.callback,
        needs: new.needs,
        needs_person: new.needs_person,
        votes: Vec::new(),
        requester: None,
        escalation: None,
        taken: None,
        snoozed: BTreeMap::new(),
        reports: Vec::new(),
        remarks: Vec::new(),
        truncated: Vec::new(),
        rule: None,
        same_account: new.same_account,
        request_digest: None,
        consumed_request_digest: None,
        asked_with: actor.credential.clone(),
    };
    refusing::offer_decline(&mut decision);
    asked::complete(&mut decision, &mut faults);
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    people::check_from(&state.policies, &decision)?;
    let is_asked_for = decision.needs.is_some();
    demand(state, actor, &mut decision)?;
    // Group members are loaded if the request itself names people; those that policies name were checked when the
    // policies were made.
    if let Some(needs) = decision.needs.as_ref().filter(|_| is_asked_for) {
        needs.check_reach(&state.roster, decision.requester.as_deref())?;
    }
    let steps = people::escalation_of(&state.policies, &decision, &new.escalation);
    decision.escalation = Escalation::start(steps, now);
    silence::check(&mut decision)?;
    silence::check_agent(state.project.min_timeout, actor, &decision, now)?;
    asked::seal(&mut decision, ahead)?;
    Ok(decision)
}

/// Adds what the project's policies demand of people, and refuses a decision that nobody could answer.
pub(super) fn demand(state: &State, actor: &Actor, decision: &mut Decision) -> Result<(), Refusal> {
    people::tighten(&state.policies, decision)?;
    let is_excluded = decision.needs.as_ref().is_some_and(|needs| needs.not_requester);
    decision.requester =
        decision.requester.take().or_else(|| people::requester(actor)).filter(|_| is_excluded);
    people::check(decision, actor)
}

fn check_names(new: &mut New, faults: &mut Vec<FieldError>) {
    let mut check = |place: &str, name: &str| {
        faults.extend(
            check_name(name).err().map(|why| FieldError::new(place, format!("{} {why}", quote(name)))),
        );
    };
    check("project", new.project());
    if let Some(requested_by) = &new.requested_by {
        check("requested_by", requested_by);
    }
    for assignee in new.assignees.iter().take(MOST_ASSIGNEES) {
        check("assignees", assignee);
    }
    if new.assignees.len() > MOST_ASSIGNEES {
        faults.push(FieldError::new("assignees", format!("at most {MOST_ASSIGNEES} can be asked")));
    }
    let mut met = HashSet::new();
    new.assignees.retain(|assignee| met.insert(assignee.clone()));
    for item in new.blocks.iter().take(MOST_BLOCKED) {
        let named = format!("item:{item}").parse::<Owner>();
        faults.extend(named.err().map(|why| FieldError::new("blocks", why)));
    }
    if new.blocks.len() > MOST_BLOCKED {
        faults.push(FieldError::new("blocks", format!("at most {MOST_BLOCKED} items can be blocked")));
    }
    let mut met = HashSet::new();
    new.blocks.retain(|item| met.insert(item.clone()));
    check_metadata(&new.metadata, faults);
    if let Some(callback) = &new.callback {
        callback.check(faults);
    }
    faults.extend(people::escalation_faults(&new.escalation));
    if new.exclusive && new.owner.is_none() {
        faults.push(FieldError::new("exclusive", "needs an owner"));
    }
}

fn check_metadata(metadata: &BTreeMap<String, String>, faults: &mut Vec<FieldError>) {
    if metadata.len() > MOST_METADATA {
        let why = format!("has {} members; at most {MOST_METADATA} are allowed", metadata.len());
        faults.push(FieldError::new("metadata", why));
        return;
    }
    for (name, value) in metadata {
        let wrong = check_name(name).err().or_else(|| check_length(value, LONGEST_METADATA).err());
        faults.extend(wrong.map(|why| FieldError::new("metadata", format!("{} {why}", quote(name)))));
    }
}

fn check_deadline(new: &New, now: Timestamp, faults: &mut Vec<FieldError>) -> Option<Timestamp> {
    let wrong = |place: &str, message: &str| Err(FieldError::new(place, message));
    let deadline = match (new.timeout, new.deadline) {
        (Some(_), Some(_)) => wrong("timeout", "give a timeout or a deadline, not both"),
        (Some(timeout), None) if timeout.as_millis() <= 0 => {
            wrong("timeout", "must be longer than zero, e.g. 30m")
        }
        (Some(timeout), None) => match now.checked_add(timeout) {
            None => wrong("timeout", "ends after the year 9998"),
            deadline => Ok(deadline),
        },
        (None, Some(deadline)) if deadline <= now => wrong("deadline", "has passed already"),
        (None, None) if new.on_timeout.is_some_and(|on| on != OnTimeout::Expire) => {
            wrong("on_timeout", "needs a timeout or a deadline")
        }
        (None, deadline) => Ok(deadline),
    };
    let deadline = deadline.unwrap_or_else(|fault| {
        faults.push(fault);
        None
    });
    match new.valid_until {
        Some(until) if until <= now => {
            faults.push(FieldError::new("valid_until", format!("{until} has passed already")));
            deadline
        }
        Some(until) => Some(deadline.map_or(until, |deadline| deadline.min(until))),
        None => deadline,
    }
}
