//! Who has taken a decision, and who has snoozed it. Neither is part of what is asked, and neither keeps others from
//! answering.

use serde::{Deserialize, Serialize};

use super::given::settled;
use super::{Decision, Status};
use crate::actor::Actor;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::{Ruling, State};
use crate::{Span, Timestamp};

/// How long a taken decision stays taken.
const TAKEN: Span = Span::from_secs(30 * 60);
/// A snoozed decision comes back this long before its deadline.
const BEFORE_DUE: Span = Span::from_secs(10 * 60);
/// The longest time that a decision can be snoozed.
const LONGEST_SNOOZE: Span = Span::from_secs(30 * 24 * 60 * 60);
/// How many people can snooze one decision.
const MOST: usize = 100;

/// A person who has taken a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Taken {
    /// The person who took it.
    pub by: String,
    /// When the claim ends.
    pub until: Timestamp,
}

/// What a person does about a decision without answering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// They take it.
    Take,
    /// They release it.
    Release,
    /// They hide it from their list until then, until it is revised, or until it is nearly due.
    Snooze {
        /// The latest time at which it comes back.
        until: Timestamp,
    },
    /// They show it in their list again.
    Wake,
}

impl Decision {
    /// Returns who has taken it, if the claim has not run out.
    pub fn taken_at(&self, now: Timestamp) -> Option<&Taken> {
        self.taken.as_ref().filter(|taken| self.status == Status::Pending && taken.until > now)
    }

    /// Returns until when a person has snoozed it, if they have.
    pub fn snoozed_until(&self, who: &str, now: Timestamp) -> Option<Timestamp> {
        self.snoozed.get(who).copied().filter(|until| self.status == Status::Pending && *until > now)
    }

    /// Lists who has snoozed it.
    pub fn snoozed_by(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        self.snoozed.iter().filter(move |(_, until)| **until > now).map(|(who, _)| who.as_str())
    }
}

/// Records the change, if there is one.
pub(crate) fn attend(
    state: &State,
    actor: &Actor,
    attention: Attention,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    let decision = state.decision()?;
    if actor.is_program() {
        return Err(Refusal::Forbidden("only a person can take or snooze a decision".into()));
    }
    if decision.status != Status::Pending {
        return Err(settled(decision));
    }
    let (id, project, by) = (decision.id, decision.project.clone(), actor.by.clone());
    let holds = decision.taken.as_ref().is_some_and(|taken| taken.by == by);
    let event = match attention {
        Attention::Take => Event::Taken { id, project, by, until: now.checked_add(TAKEN) },
        Attention::Release if holds => Event::Taken { id, project, by, until: None },
        Attention::Snooze { until } => {
            let until = back_at(decision, until, now)?;
            if decision.snoozed_by(now).filter(|who| *who != by).count() >= MOST {
                return Err(Refusal::invalid("until", format!("{MOST} people have snoozed it already")));
            }
            Event::Snoozed { id, project, by, until: Some(until) }
        }
        Attention::Wake if decision.snoozed.contains_key(&by) => {
            Event::Snoozed { id, project, by, until: None }
        }
        Attention::Release | Attention::Wake => return Ok(Ruling { replayed: true, ..Ruling::default() }),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Returns when a snoozed decision comes back.
fn back_at(decision: &Decision, until: Timestamp, now: Timestamp) -> Result<Timestamp, Refusal> {
    let wrong = |why: &str| Err(Refusal::invalid("until", why));
    if until <= now {
        return wrong("is in the past");
    }
    if until.since(now) > LONGEST_SNOOZE {
        return wrong("is more than 30 days away");
    }
    let Some(deadline) = decision.deadline else { return Ok(until) };
    let nearly_due = Timestamp::from_millis(deadline.as_millis() - BEFORE_DUE.as_millis());
    if nearly_due <= now {
        return wrong("is too late: this falls due in less than ten minutes");
    }
    Ok(until.min(nearly_due))
}
