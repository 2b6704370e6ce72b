//! Steps of escalations: taken when they are due, and listed in advance.

use std::collections::HashSet;
use std::time::Duration;

use holdpoint_core::event::Escalated;
use holdpoint_core::people::{Occurrence, Roster};
use holdpoint_core::{Actor, Command, Decision, Refusal, Status, Timestamp};
use holdpoint_store::{EventQuery, Logged};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// How long to wait if a step that is due could not be taken.
const AGAIN: Duration = Duration::from_secs(1);
/// How long to wait if nothing is due.
const LONG: Duration = Duration::from_secs(60 * 60);
/// How many steps are taken at once.
const AT_ONCE: usize = 64;
/// How many events of a decision are read.
const EVENTS: usize = 500;
/// How many future steps are shown.
const SHOWN: usize = 50;

/// What happens while nobody answers a decision: what has happened, and what will.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscalationView {
    /// In the order of time.
    pub items: Vec<EscalationEntry>,
    /// Until when nothing happens because somebody is on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_until: Option<Timestamp>,
    /// When the deadline ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
}

/// An event while nobody answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscalationEntry {
    /// When.
    pub at: Timestamp,
    /// Whether it has happened.
    pub done: bool,
    /// The place of the step, from 1.
    pub step: usize,
    /// Which time it happens, from 1.
    pub round: u32,
    /// What, in words.
    pub what: String,
    /// Who was told; of what is ahead, who would be told now. Stand-ins in place of those who are away.
    pub people: Vec<String>,
}

impl Engine {
    /// Takes the steps that are due; returns how long it is until the next one.
    pub(crate) async fn fire_escalations(&self) -> Result<Duration> {
        let Some(next) = self.store.next_escalation().await? else { return Ok(LONG) };
        if let Some(first) = self.store.escalating(next, 1).await?.first() {
            self.record_step(*first).await?;
        }
        let now = self.now().await?;
        if next > now {
            return Ok(Duration::from_millis(next.since(now).as_millis().unsigned_abs()));
        }
        let taken = self.escalate_due().await?;
        Ok(if taken > 0 { Duration::ZERO } else { AGAIN })
    }

    /// Takes every step that is due; returns for how many decisions. A step that cannot be taken does not hold up the
    /// others.
    pub async fn escalate_due(&self) -> Result<usize> {
        let mut taken = 0;
        let mut left = HashSet::new();
        loop {
            let mut due = self.store.escalating(self.now().await?, AT_ONCE + left.len()).await?;
            due.retain(|id| !left.contains(id));
            if due.is_empty() {
                return Ok(taken);
            }
            for id in due {
                match self.submit(Actor::system(), Command::Escalate { id }).await {
                    Ok(outcome) if !outcome.replayed => taken += 1,
                    // Another node took the step, or the store's clock is behind.
                    Ok(_) | Err(Error::Refused(Refusal::Unproven { .. })) => {
                        left.insert(id);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Returns what has happened, and what will, as long as a decision is not answered.
    pub async fn escalation(&self, caller: &Caller, id: &str) -> Result<EscalationView> {
        let decision = self.find_for(caller, id).await?;
        let now = self.now().await?;
        let query = EventQuery { decision: Some(decision.id), limit: EVENTS, ..EventQuery::default() };
        let logged = self.store.events(&query).await?;
        let mut items: Vec<EscalationEntry> = logged.into_iter().filter_map(happened).collect();
        let is_open = decision.status == Status::Pending;
        if let Some(escalation) = decision.escalation.as_ref().filter(|_| is_open) {
            // Programs may not see the members of groups.
            let roster = if caller.actor.is_program() {
                None
            } else {
                Some(holdpoint_store::roster(&*self.store).await?)
            };
            let in_time = |occurrence: &Occurrence<'_>| {
                decision.deadline.is_none_or(|deadline| occurrence.at < deadline)
            };
            let ahead = escalation.ahead(decision.created_at);
            let ahead = ahead.iter().filter(|occurrence| in_time(occurrence)).take(SHOWN);
            items.extend(ahead.map(|occurrence| to_come(&decision, occurrence, roster.as_ref(), now)));
        }
        let paused_until = decision.taken_at(now).map(|taken| taken.until);
        Ok(EscalationView { items, paused_until, deadline: decision.deadline.filter(|_| is_open) })
    }
}

fn happened(logged: Logged) -> Option<EscalationEntry> {
    if logged.tag != "decision:escalated" {
        return None;
    }
    let Escalated { step, round, told, what, .. } = serde_json::from_value(logged.body?).ok()?;
    Some(EscalationEntry { at: logged.at, done: true, step, round, what, people: told })
}

fn to_come(
    decision: &Decision,
    occurrence: &Occurrence<'_>,
    roster: Option<&Roster>,
    now: Timestamp,
) -> EscalationEntry {
    let people = roster.map(|roster| occurrence.reaches(decision, roster, now)).unwrap_or_default();
    EscalationEntry {
        at: occurrence.at,
        done: false,
        step: occurrence.place + 1,
        round: occurrence.round,
        what: occurrence.happens(),
        people,
    }
}
