//! Escalation: who is notified, reminded or added while a decision is unanswered. It never settles anything; deadlines
//! do.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::roster::{GROUP, Roster};
use crate::decision::Decision;
use crate::refusal::FieldError;
use crate::text::{check_name, inert_line, quote};
use crate::{Span, Timestamp};

/// How many steps a request and its policies may have together.
const MOST_STEPS: usize = 20;
/// How many people and groups a step may name.
const MOST_NAMED: usize = 50;
/// How often a step may be repeated.
const MOST_TIMES: u32 = 100;
/// The shortest delay of a step, and the shortest repeat interval.
const SOONEST: Span = Span::from_secs(1);
/// The longest delay of a step.
const LATEST: Span = Span::from_secs(366 * 24 * 60 * 60);

/// A step that is taken after a while without an answer. Unknown keys are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EscalationStep {
    /// How long after it was asked.
    pub after: Span,
    /// Who is notified: people, and groups as `group:NAME`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tell: Vec<String>,
    /// Who is assigned too, and notified: people, and groups as `group:NAME`. Everyone who could answer before still
    /// can.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assign: Vec<String>,
    /// Whether the assignees are notified again, except those who have voted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remind: bool,
    /// The interval after which it is repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<Span>,
    /// How often it is repeated at most; 1 if not given.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

impl EscalationStep {
    /// Returns how often it happens in all, repeats included.
    fn rounds(&self) -> u32 {
        if self.every.is_some() { 1 + self.times.unwrap_or(1) } else { 1 }
    }
}

impl fmt::Display for EscalationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} {}", self.after, happens(self))?;
        if let Some(every) = self.every {
            let times = self.times.unwrap_or(1);
            let word = if times == 1 { "time" } else { "times" };
            write!(f, ", again every {every} at most {times} {word}")?;
        }
        Ok(())
    }
}

impl FromStr for EscalationStep {
    type Err = String;

    /// Reads a step as people write it: `after=10m tell=group:oncall every=30m times=3`, `after=2h assign=ana`,
    /// `after=1h remind`.
    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str =
            "give words like after=10m tell=group:oncall every=30m times=3, assign=ana or remind";
        let mut step = Self::default();
        let mut given = BTreeSet::new();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let is_repeated = !matches!(name, "tell" | "assign") && !given.insert(name);
            let wrong = |why: String| format!("{} {why}; {FORM}", quote(word));
            let span = || value.parse::<Span>().map_err(|why| wrong(format!("is not a duration: {why}")));
            match name {
                _ if is_repeated => return Err(wrong("is given twice".into())),
                "remind" if value.is_empty() && !word.contains('=') => step.remind = true,
                "after" => step.after = span()?,
                "every" => step.every = Some(span()?),
                "times" => {
                    step.times = Some(value.parse().map_err(|_| wrong("is not a number".into()))?);
                }
                "tell" | "assign" => {
                    let names = value.split(',').map(str::to_owned);
                    if name == "tell" { &mut step.tell } else { &mut step.assign }.extend(names);
                }
                _ => return Err(wrong("is not understood".into())),
            }
        }
        match faults(std::slice::from_ref(&step)).into_iter().next() {
            Some(fault) => Err(format!("{}; {FORM}", fault.message)),
            None => Ok(step),
        }
    }
}

/// Describes what a step does in a few words: `on-call is told`.
fn happens(step: &EscalationStep) -> String {
    let names = |who: &[String]| {
        let plain = who.iter().map(|who| inert_line(who.strip_prefix(GROUP).unwrap_or(who)));
        plain.collect::<Vec<_>>().join(", ")
    };
    let be = |who: &[String]| if who.len() == 1 { "is" } else { "are" };
    let mut words = Vec::new();
    if step.remind {
        words.push("those who were asked are reminded".to_owned());
    }
    if !step.tell.is_empty() {
        words.push(format!("{} {} told", names(&step.tell), be(&step.tell)));
    }
    if !step.assign.is_empty() {
        words.push(format!("{} {} asked too", names(&step.assign), be(&step.assign)));
    }
    words.join(", and ")
}

/// The escalation of one decision, and its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Escalation {
    /// The steps.
    pub steps: Vec<EscalationStep>,
    /// How many steps have happened, repeats included.
    #[serde(default)]
    pub fired: u32,
    /// How long it was, or will be, paused because a person has taken the decision.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub paused: Span,
    /// Whether anyone may answer although a step has assigned people, because nobody was assigned before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// When the next step is due; absent after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(span: &Span) -> bool {
    span.as_millis() == 0
}

/// One time at which a step happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// When it happens.
    pub at: Timestamp,
    /// The index of its step.
    pub place: usize,
    /// The round of the step, from 1.
    pub round: u32,
    /// The step.
    pub step: &'a EscalationStep,
}

impl Occurrence<'_> {
    /// Lists who is notified if it happens now: members of groups, stand-ins for absent people, and nobody who has
    /// voted.
    pub fn reaches(&self, decision: &Decision, roster: &Roster, now: Timestamp) -> Vec<String> {
        let mut named: Vec<&String> = self.step.tell.iter().chain(&self.step.assign).collect();
        if self.step.remind && !decision.assignees.is_empty() {
            named.extend(decision.assignees.iter().filter(|who| !who.starts_with("agent:")));
        } else if self.step.remind {
            named.extend(decision.needs.iter().flat_map(|needs| needs.from.iter().chain(needs.each.keys())));
        }
        let acting = |who: &str| roster.acting(who, &decision.project, now);
        let told: BTreeSet<String> = roster.named(named).into_iter().map(acting).collect();
        let has_voted =
            |who: &String| decision.votes.iter().any(|vote| vote.by == *who || vote.voter() == who);
        told.into_iter().filter(|who| !has_voted(who)).collect()
    }

    /// Describes what happens, in a few words.
    pub fn happens(&self) -> String {
        let again = if self.round > 1 { " again" } else { "" };
        format!("{}{again}", happens(self.step))
    }
}

impl Escalation {
    /// Starts the clock of some steps; returns none if there are no steps.
    pub(crate) fn start(steps: Vec<EscalationStep>, now: Timestamp) -> Option<Box<Self>> {
        if steps.is_empty() {
            return None;
        }
        let mut escalation = Self { steps, fired: 0, paused: Span::default(), open: false, next_at: None };
        escalation.schedule(now);
        Some(Box::new(escalation))
    }

    /// Lists all occurrences in order, as scheduled now. Those beyond the range of timestamps are left out.
    pub fn occurrences(&self, created_at: Timestamp) -> Vec<Occurrence<'_>> {
        let mut all = Vec::new();
        for (place, step) in self.steps.iter().enumerate() {
            for round in 1..=step.rounds() {
                let every = step.every.unwrap_or_default().as_millis();
                let wait = every.saturating_mul(i64::from(round) - 1).saturating_add(step.after.as_millis());
                let wait = Span::from_millis(wait.saturating_add(self.paused.as_millis()));
                let Some(at) = created_at.checked_add(wait) else { break };
                all.push(Occurrence { at, place, round, step });
            }
        }
        all.sort_by_key(|occurrence| (occurrence.at, occurrence.place, occurrence.round));
        all
    }

    /// Lists the occurrences that are still to come.
    pub fn ahead(&self, created_at: Timestamp) -> Vec<Occurrence<'_>> {
        let mut all = self.occurrences(created_at);
        all.drain(..all.len().min(usize::try_from(self.fired).unwrap_or(usize::MAX)));
        all
    }

    /// Describes the last step that happened, in a few words.
    pub fn happened(&self, created_at: Timestamp) -> Option<String> {
        let last = usize::try_from(self.fired.checked_sub(1)?).ok()?;
        self.occurrences(created_at).get(last).map(Occurrence::happens)
    }

    /// Advances the progress, and schedules the next step.
    pub(crate) fn has_fired(&mut self, fired: u32, created_at: Timestamp) {
        self.fired = self.fired.max(fired);
        self.schedule(created_at);
    }

    /// Pauses the clock while a person has taken the decision: `before` is the end of the previous claim, `until` the
    /// end of the present one.
    pub(crate) fn pause(
        &mut self,
        before: Option<Timestamp>,
        until: Option<Timestamp>,
        now: Timestamp,
        created_at: Timestamp,
    ) {
        let left = |until: Option<Timestamp>| until.map_or(0, |until| until.since(now).as_millis().max(0));
        // Steps that are overdue because no server ran are postponed with the rest.
        let overdue =
            self.next_at.filter(|_| until.is_some()).map_or(0, |next| now.since(next).as_millis().max(0));
        let paused = self.paused.as_millis().saturating_add(left(until)).saturating_sub(left(before));
        let paused = paused.saturating_add(overdue);
        self.paused = Span::from_millis(paused.max(0));
        self.schedule(created_at);
    }

    fn schedule(&mut self, created_at: Timestamp) {
        self.next_at = self.ahead(created_at).first().map(|next| next.at);
    }
}

/// Lists what is wrong with the steps of a request.
pub(crate) fn faults(steps: &[EscalationStep]) -> Vec<FieldError> {
    let mut faults = Vec::new();
    let mut fault = |why: String| faults.push(FieldError::new("escalation", why));
    if steps.len() > MOST_STEPS {
        fault(format!("has {} steps; at most {MOST_STEPS} are allowed", steps.len()));
    }
    for step in steps.iter().take(MOST_STEPS) {
        let spans = [("after", Some(step.after)), ("every", step.every)];
        for (what, span) in spans.into_iter().filter_map(|(what, span)| Some((what, span?))) {
            if span < SOONEST || span > LATEST {
                fault(format!("{what} must be from {SOONEST} to {LATEST}, and is {span}"));
            }
        }
        if step.tell.is_empty() && step.assign.is_empty() && !step.remind {
            fault("a step does nothing; give tell, assign or remind".into());
        }
        match (step.every, step.times) {
            (None, Some(_)) => fault("give every too: times says how often it repeats".into()),
            (_, Some(times)) if !(1..=MOST_TIMES).contains(&times) => {
                fault(format!("times must be from 1 to {MOST_TIMES}"));
            }
            _ => {}
        }
        if step.tell.len().max(step.assign.len()) > MOST_NAMED {
            fault(format!("a step names more than {MOST_NAMED} people and groups; make a group of them"));
        }
        for name in step.tell.iter().chain(&step.assign).take(2 * MOST_NAMED) {
            if let Err(why) = check_name(name.strip_prefix(GROUP).unwrap_or(name)) {
                fault(format!("{} {why}", quote(name)));
            } else if name.starts_with("agent:") {
                fault(format!("{} is an agent; people and groups are told", quote(name)));
            }
        }
    }
    faults
}
