//! Creating a rule, ending it, and having it answer.

use super::check::check_when;
use super::trip::trip;
use super::{
    BY, DEFAULT_LIFETIME, LONGEST_LIFETIME, MOST_ACTIVE, NewRule, Rule, RuleEffect, RuleStatus, Then, VIA,
};
use crate::actor::{Actor, Auth, Role};
use crate::decision::{Answer, Decision, number};
use crate::event::Event;
use crate::refusal::{FieldError, Refusal};
use crate::state::{Ruling, State};
use crate::text::{MAX_MESSAGE, check_length, check_name, quote};
use crate::{Project, Span, Timestamp};

/// The most suggestions of a project that can be dismissed.
const MOST_DISMISSED: usize = 10_000;

/// A command to the rules of a project.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleCommand {
    /// Makes a rule.
    Create {
        /// The id it gets.
        id: String,
        /// Its content.
        new: Box<NewRule>,
    },
    /// Revokes a rule.
    Revoke {
        /// The id of the rule.
        id: String,
    },
    /// Lets a tripped rule continue.
    Resume {
        /// The id of the rule.
        id: String,
    },
    /// Dismisses a suggestion, so that it is not made again.
    Dismiss {
        /// The code of the suggestion.
        code: String,
    },
}

impl NewRule {
    /// Returns the project in which it will apply.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(Project::DEFAULT)
    }

    /// Returns the rule that it makes, without checking it, so that it can be tried on earlier questions.
    pub fn as_rule(&self, id: &str, actor: &Actor, now: Timestamp) -> Rule {
        let lasts = self.lasts.unwrap_or(DEFAULT_LIFETIME);
        Rule {
            id: id.to_owned(),
            project: self.project().to_owned(),
            by: actor.by.clone(),
            auth: actor.auth,
            made_with: actor.credential.clone(),
            because: self.because.clone().filter(|text| !text.trim().is_empty()),
            when: self.when.clone(),
            then: self.then,
            option: self.option.clone(),
            until: now.checked_add(lasts).unwrap_or(now),
            uses: self.uses,
            made_from: self.made_from,
            created_at: now,
        }
    }

    /// Checks the content of a rule.
    ///
    /// # Errors
    /// If the rule is invalid, with what would be right.
    pub fn check(&self) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        let mut fault = |place: &str, why: String| faults.push(FieldError::new(place, why));
        if let Err(why) = check_name(self.project()) {
            fault("project", format!("{} {why}", quote(self.project())));
        }
        if let Err(why) = check_length(self.because.as_deref().unwrap_or_default(), MAX_MESSAGE) {
            fault("because", why);
        }
        match self.lasts {
            Some(lasts) if lasts <= Span::from_millis(0) => {
                fault("lasts", "must be longer than zero, e.g. 8h".into());
            }
            Some(lasts) if lasts > LONGEST_LIFETIME => fault("lasts", "can be at most 90d".into()),
            _ => {}
        }
        if self.uses == Some(0) {
            fault("uses", "must be at least 1; leave it out for any number".into());
        }
        if self.option.is_some() && self.then == Then::Ask {
            fault("option", "goes with allow or refuse; ask takes none".into());
        }
        check_when(&self.when, self.then, &mut fault);
        if faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(faults)) }
    }
}

/// Refuses actors that may not see or change rules: agents, and programs.
///
/// # Errors
/// If the actor is a program.
pub fn may_manage(actor: &Actor) -> Result<(), Refusal> {
    if actor.is_program() {
        return Err(Refusal::Forbidden("agents can neither see nor change rules".into()));
    }
    Ok(())
}

pub(crate) fn decide(
    state: &State,
    actor: &Actor,
    project: &str,
    command: &RuleCommand,
    now: Timestamp,
) -> Result<Ruling, Refusal> {
    may_manage(actor)?;
    let rules = &state.rules.rules;
    let named = |id: &str| rules.get(id).ok_or_else(|| Refusal::NotFound { what: "rule", id: id.to_owned() });
    let event = match command {
        RuleCommand::Create { id, new } => {
            new.check()?;
            if new.then == Then::Allow && matches!(actor.auth, Auth::Claimed | Auth::System) {
                return Err(Refusal::Forbidden(
                    "an allowing rule needs a server that checks who calls (hold serve); rules that refuse or ask work \
                     without one"
                        .into(),
                ));
            }
            if rules.active(now).count() >= MOST_ACTIVE {
                let why = format!("has {MOST_ACTIVE} active rules already; revoke some first");
                return Err(Refusal::invalid("project", why));
            }
            if rules.get(id).is_some() {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            Event::RuleCreated(Box::new(new.as_rule(id, actor, now)))
        }
        RuleCommand::Revoke { id } => {
            let rule = named(id)?;
            if rules.status(rule, now) == RuleStatus::Revoked {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            may_change(rule, actor)?;
            Event::RuleRevoked { id: id.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
        RuleCommand::Resume { id } => {
            let rule = named(id)?;
            may_change(rule, actor)?;
            match rules.status(rule, now) {
                RuleStatus::Tripped => {}
                RuleStatus::Active => return Ok(Ruling { replayed: true, ..Ruling::default() }),
                other => {
                    let why = format!("is {}; only a paused rule can be resumed", other.name());
                    return Err(Refusal::invalid("rule", why));
                }
            }
            Event::RuleResumed { id: id.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
        RuleCommand::Dismiss { code } => {
            check_name(code).map_err(|why| Refusal::invalid("code", format!("{} {why}", quote(code))))?;
            if rules.is_dismissed(code, &actor.by) {
                return Ok(Ruling { replayed: true, ..Ruling::default() });
            }
            if rules.dismissed_count() >= MOST_DISMISSED {
                return Err(Refusal::invalid(
                    "project",
                    format!("has {MOST_DISMISSED} dismissed suggestions"),
                ));
            }
            Event::RuleDismissed { id: code.clone(), project: project.to_owned(), by: actor.by.clone() }
        }
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

/// Refuses to change another person's rule, unless the actor is an admin.
fn may_change(rule: &Rule, actor: &Actor) -> Result<(), Refusal> {
    if actor.role == Some(Role::Person) && rule.made_with != actor.credential && rule.by != actor.by {
        return Err(Refusal::Forbidden(format!(
            "{} created this rule: only they or an admin can change it",
            rule.by
        )));
    }
    Ok(())
}

/// Which rules may settle an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of them: the ask is new.
    All,
    /// Only those that refuse: a person may already be reading the question.
    Refusals,
}

/// Lets the rules settle an ask, and returns the events that record it and whether they settle it.
pub(crate) fn settled_by(
    state: &State,
    decision: &Decision,
    now: Timestamp,
    scope: Scope,
) -> (Vec<Event>, bool) {
    let (mut events, is_settled) = ruled(state, decision, now, scope);
    let over = state.rules.rules.overdue(now).filter(|_| scope == Scope::All);
    events.extend(over.map(|rule| Event::RuleExpired { id: rule.id.clone(), project: rule.project.clone() }));
    (events, is_settled)
}

fn ruled(state: &State, decision: &Decision, now: Timestamp, scope: Scope) -> (Vec<Event>, bool) {
    match state.rules.rule_on(decision, now) {
        Some(RuleEffect::Answered { rule, values }) if scope == Scope::All || rule.then == Then::Refuse => {
            let answer = Answer {
                values,
                out: None,
                message: rule.because.clone(),
                written: std::collections::BTreeMap::new(),
                seen: None,
                digest: Some(decision.digest.clone()),
                by: format!("{BY}{}", rule.id),
                on_behalf_of: Some(rule.by.clone()),
                via: VIA.to_owned(),
                channel: None,
                auth: Auth::Rule.min(rule.auth),
                at: now,
            };
            let choices = number::numbers(decision, &answer.values, None);
            let chosen = number::picks(decision, &answer.values, None);
            let project = decision.project.clone();
            let mut events =
                vec![Event::Resolved { id: decision.id, project: project.clone(), answer, choices, chosen }];
            if let Some(uses) = rule.uses {
                let id = rule.id.clone();
                let used = state.rules.used.get(&id).copied().unwrap_or_default() + 1;
                events.push(Event::RuleUsed {
                    id: id.clone(),
                    project: project.clone(),
                    decision_id: decision.id,
                });
                if used >= uses {
                    events.push(Event::RuleExhausted { id, project });
                }
            }
            (events, true)
        }
        Some(RuleEffect::Trips(rule)) if scope == Scope::All => (trip(state, rule, now), false),
        _ => (Vec::new(), false),
    }
}
