//! The rules of a project, computed from the events of their stream, and which of them settles an ask.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::index::Index;
use super::matching::matches;
use super::{Rule, RuleStatus, Then};
use crate::decision::refusing::{is_one_yes, is_only_yes};
use crate::decision::{self, Decision};
use crate::event::Event;
use crate::field::{Field, Kind, Opt, picking};
use crate::json::Values;
use crate::people::Policy;
use crate::{DecisionId, Timestamp, form};

/// The most rules whose end is recorded along with one ask.
const OVERDUE: usize = 64;

/// The rules of a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    /// In the order they were made.
    all: Vec<Arc<Rule>>,
    /// The rules that were ended by events, and how.
    ended: HashMap<String, RuleStatus>,
    /// When the first of the remaining rules expires.
    next_end: Option<Timestamp>,
    /// The positions in `all` of rules that could match a decision.
    index: Index,
    /// The credentials that the rules were made with.
    authors: BTreeSet<String>,
    /// The positions of the rules with a limited number of uses.
    limited: Vec<usize>,
    /// The decisions in which people are asked whether tripped rules continue.
    asked: HashMap<String, DecisionId>,
    /// The dismissed suggestions, each with the person who dismissed it.
    dismissed: BTreeSet<(String, String)>,
    /// The policies of the project, which are kept in the same stream.
    policies: Vec<Policy>,
}

/// The rules of a project and what else is needed to apply them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InForce {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The credentials whose holders may answer, and since when each is known: a credential that was removed and added
    /// again is a different one.
    pub authors: BTreeMap<String, Timestamp>,
    /// How often the rules with limited uses have answered.
    pub used: BTreeMap<String, u64>,
    /// How often rules have answered recently, for those that may be near the limit.
    pub recent: BTreeMap<String, usize>,
    /// How often an allowing rule may answer before it trips.
    pub trip_limit: usize,
}

/// The effect of the rules on an ask.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleEffect<'a> {
    /// A rule answers it.
    Answered {
        /// The rule.
        rule: &'a Rule,
        /// The answer.
        values: Values,
    },
    /// A person is asked, though a rule allows it.
    Asked(&'a Rule),
    /// A rule would allow it, but has answered too often recently.
    Trips(&'a Rule),
}

impl RuleSet {
    /// Applies an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::RuleCreated(rule) => self.add(Arc::new((**rule).clone())),
            Event::RuleRevoked { id, .. } => self.end(id, Some(RuleStatus::Revoked)),
            Event::RuleExhausted { id, .. } => self.end(id, Some(RuleStatus::Exhausted)),
            Event::RuleExpired { id, .. } => self.end(id, Some(RuleStatus::Expired)),
            Event::RuleTripped { id, decision_id, .. } => {
                self.end(id, Some(RuleStatus::Tripped));
                self.asked.extend(decision_id.map(|decision| (id.clone(), decision)));
            }
            Event::RuleResumed { id, .. } => self.end(id, None),
            Event::RuleDismissed { id, by, .. } => {
                self.dismissed.insert((id.clone(), by.clone()));
            }
            Event::PolicyAdded(policy) => self.policies.push((**policy).clone()),
            Event::PolicyRemoved { id, .. } => self.policies.retain(|policy| policy.id != *id),
            _ => {}
        }
    }

    /// Ends a rule, or makes it active again.
    fn end(&mut self, id: &str, status: Option<RuleStatus>) {
        match status {
            Some(status) => self.ended.insert(id.to_owned(), status),
            None => self.ended.remove(id),
        };
        let others = self.all().filter(|rule| !self.ended.contains_key(&rule.id));
        self.next_end = others.map(|rule| rule.until).min();
    }

    /// Lists some of the rules that have expired without a record of that.
    pub(super) fn overdue(&self, now: Timestamp) -> impl Iterator<Item = &Rule> {
        let is_over = move |rule: &&Rule| rule.until <= now && !self.ended.contains_key(&rule.id);
        let any = self.next_end.is_some_and(|end| end <= now);
        self.all().filter(move |rule| any && is_over(rule)).take(OVERDUE)
    }

    fn add(&mut self, rule: Arc<Rule>) {
        self.next_end = self.next_end.into_iter().chain([rule.until]).min();
        let at = self.all.len();
        self.index.add(&rule, at);
        self.authors.extend(rule.made_with.clone());
        if rule.uses.is_some() {
            self.limited.push(at);
        }
        self.all.push(rule);
    }

    /// Lists all rules, ended ones included, in the order they were made.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Rule> {
        self.all.iter().map(|rule| &**rule)
    }

    /// Finds a rule.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.all().find(|rule| rule.id == id)
    }

    /// Returns the status of a rule.
    pub fn status(&self, rule: &Rule, now: Timestamp) -> RuleStatus {
        match self.ended.get(&rule.id) {
            Some(status) => *status,
            None if rule.until <= now => RuleStatus::Expired,
            None => RuleStatus::Active,
        }
    }

    /// Returns the last decision that asked whether a rule continues.
    pub fn asked_whether(&self, id: &str) -> Option<DecisionId> {
        self.asked.get(id).copied()
    }

    /// Lists the rules that are active now.
    pub fn active(&self, now: Timestamp) -> impl Iterator<Item = &Rule> {
        self.all().filter(move |rule| self.status(rule, now) == RuleStatus::Active)
    }

    /// Returns whether a person has dismissed a suggested rule.
    pub fn is_dismissed(&self, code: &str, by: &str) -> bool {
        self.dismissed.contains(&(code.to_owned(), by.to_owned()))
    }

    pub(super) fn dismissed_count(&self) -> usize {
        self.dismissed.len()
    }

    /// Lists the policies of the project, in the order they were made.
    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    /// Returns whether there are no rules, policies or dismissals.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.dismissed.is_empty()
    }

    /// Lists the credentials that rules were made with.
    pub fn authors(&self) -> impl Iterator<Item = &str> {
        self.authors.iter().map(String::as_str)
    }

    /// Lists the active rules with a limited number of uses.
    pub fn limited(&self, now: Timestamp) -> impl Iterator<Item = &Rule> {
        let rules = self.limited.iter().filter_map(|at| self.all.get(*at)).map(|rule| &**rule);
        rules.filter(move |rule| self.status(rule, now) == RuleStatus::Active)
    }

    /// Lists the active rules that could match a decision, in the order they were made.
    fn candidates(&self, decision: &Decision, now: Timestamp) -> Vec<&Rule> {
        let places = self.index.candidates(decision);
        let rules = places.into_iter().filter_map(|at| self.all.get(at)).map(|rule| &**rule);
        rules.filter(|rule| self.status(rule, now) == RuleStatus::Active).collect()
    }
}

impl InForce {
    /// Returns whether the author of a rule may no longer answer.
    fn has_lapsed(&self, rule: &Rule) -> bool {
        let with = rule.made_with.as_ref();
        with.is_some_and(|with| self.authors.get(with).is_none_or(|since| *since > rule.created_at))
    }

    /// Returns the status of a rule, taking its author into account.
    pub fn status(&self, rule: &Rule, now: Timestamp) -> RuleStatus {
        match self.rules.status(rule, now) {
            RuleStatus::Active | RuleStatus::Tripped if self.has_lapsed(rule) => RuleStatus::Lapsed,
            other => other,
        }
    }

    /// Returns the effect of the rules on an ask: refusing beats asking beats allowing; the one that was made first
    /// answers.
    pub fn rule_on(&self, decision: &Decision, now: Timestamp) -> Option<RuleEffect<'_>> {
        let (mut refusing, mut asking, mut allowing) = (None, None, None);
        for rule in self.rules.candidates(decision, now) {
            let is_used_up =
                rule.uses.is_some_and(|uses| self.used.get(&rule.id).copied().unwrap_or_default() >= uses);
            if is_used_up || self.has_lapsed(rule) || matches(rule, decision).is_err() {
                continue;
            }
            match rule.then {
                Then::Refuse => refusing = refusing.or_else(|| answer(rule, decision)),
                Then::Ask => asking = asking.or(Some(rule)),
                Then::Allow => allowing = allowing.or_else(|| answer(rule, decision)),
            }
        }
        if let Some((rule, values)) = refusing {
            return Some(RuleEffect::Answered { rule, values });
        }
        match (asking, allowing) {
            (Some(rule), _) => Some(RuleEffect::Asked(rule)),
            (None, Some((rule, _)))
                if self.recent.get(&rule.id).is_some_and(|times| *times >= self.trip_limit) =>
            {
                Some(RuleEffect::Trips(rule))
            }
            (None, Some((rule, values))) => Some(RuleEffect::Answered { rule, values }),
            (None, None) => None,
        }
    }
}

/// Returns whether a question has an option that a rule could choose, if need be by its name.
pub(super) fn can_answer(rule: &Rule, decision: &Decision) -> bool {
    let options = || decision.fields.iter().flat_map(|field| &field.options);
    let takes =
        |option: &Opt| answer(&Rule { option: Some(option.id.clone()), ..rule.clone() }, decision).is_some();
    rule.then == Then::Ask || options().any(takes)
}

/// Returns the answer of a rule, if the question has exactly one option that does what the rule says. The agent writes
/// the
/// options: a rule that refuses must not pick one that consents.
fn answer<'a>(rule: &'a Rule, decision: &Decision) -> Option<(&'a Rule, Values)> {
    let refuses = rule.then == Then::Refuse;
    // A rule for the whole question was made by a person who saw its options; otherwise the agent could word the yes as
    // it likes.
    let may_be_taken = |field: &Field, option: &Opt| {
        let says_yes =
            is_one_yes(&option.label) && (is_only_yes(&option.id) || option.id.parse::<u8>().is_ok());
        refuses || rule.when.digest.is_some() || (field.kind == Kind::Confirm && says_yes)
    };
    let offered = decision.fields.iter().filter(|field| field.kind.is_pick());
    let mut fitting = offered
        .flat_map(|field| field.options.iter().map(move |option| (field, option)))
        .filter(|(_, option)| option.refuses == refuses)
        .filter(|(_, option)| rule.option.as_ref().is_none_or(|id| *id == option.id));
    let (field, option) = fitting.next()?;
    if fitting.next().is_some() || !may_be_taken(field, option) {
        return None;
    }
    let values = Values::from_iter([(field.id.clone(), picking(field, &option.id))]);
    let filling = form::accept(&decision.fields, &values);
    let is_whole = filling.faults.is_empty() && !filling.values.is_empty();
    let is_refusal = decision::would_refuse(decision, &filling.values);
    (is_whole && is_refusal == refuses).then_some((rule, filling.values))
}
