//! The standing rules for a batch: what must be loaded with them, and which of them count.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holdpoint_core::people::{self, Policy, Vote};
use holdpoint_core::rule::{BY, InForce};
use holdpoint_core::{Actor, Decision, Event, Role, Timestamp};

use super::Snapshot;
use super::stream::of_rule;

/// The prefix of a person's credential.
const PERSON: &str = "person:";

/// What must be loaded with the rules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleNeeds {
    /// The tokens that rules were made with.
    pub(crate) tokens: Vec<String>,
    /// The people who made rules.
    pub(crate) people: Vec<String>,
    /// The streams whose versions tell how often rules were used.
    pub(crate) streams: Vec<String>,
}

impl RuleNeeds {
    /// Returns whether nothing is missing.
    pub(crate) fn are_met(&self) -> bool {
        self.tokens.is_empty() && self.people.is_empty() && self.streams.is_empty()
    }
}

/// A decision that may get a vote or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VotedOn {
    /// Its row.
    pub(crate) number: i64,
    /// The person who answers, if they may stand in for another person.
    pub(crate) by: Option<String>,
    /// Whether a step of its escalation is taken.
    pub(crate) escalates: bool,
}

fn voters(vote: &Vote) -> impl Iterator<Item = &String> {
    std::iter::once(&vote.by).chain(&vote.on_behalf_of)
}

impl Snapshot {
    pub(super) fn has_rules(&self, project: &str) -> bool {
        self.rules.contains_key(project)
    }

    /// Changes the rules of a project by an event.
    pub(super) fn change_rules(&mut self, project: &str, event: &Event) {
        if let Some(rules) = self.rules.get_mut(project) {
            Arc::make_mut(rules).apply(event);
        }
    }

    /// Changes the groups of people by an event.
    pub(super) fn change_roster(&mut self, event: &Event) {
        if let Some(roster) = &mut self.roster {
            Arc::make_mut(roster).apply(event);
        }
    }

    /// Returns the policies of a project.
    pub(super) fn policies(&self, project: &str) -> Vec<Policy> {
        self.rules.get(project).map(|rules| rules.policies().to_vec()).unwrap_or_default()
    }

    /// Returns whether group membership or absences matter for a decision: it takes the votes of several people, or the
    /// person who answers is not assigned.
    pub(crate) fn takes_roster(&self, voted: &VotedOn) -> bool {
        let takes = |decision: &Decision| {
            let asks_others = |name: &String| !decision.is_for_anyone() && !decision.assignees.contains(name);
            decision.needs.is_some()
                || voted.by.as_ref().is_some_and(asks_others)
                || voted.escalates && decision.escalation.is_some()
        };
        self.decision(voted.number).is_some_and(|stored| takes(&stored.decision))
    }

    /// Requests the groups of people, and the voters of some decisions.
    pub(crate) fn want_votes(&mut self, voted: impl IntoIterator<Item = VotedOn>) {
        for voted in voted {
            if self.takes_roster(&voted) {
                self.want_roster();
                self.voted.push(voted.number);
            }
        }
    }

    /// Returns whether a person acts for an assignee who is absent.
    pub(super) fn stands_in(&self, decision: &Decision, actor: &Actor, now: Timestamp) -> bool {
        let roster = self.roster.as_ref().filter(|_| actor.role == Some(Role::Person));
        roster.is_some_and(|roster| people::is_stand_in(roster, decision, &actor.by, now))
    }

    /// Returns the known people among the voters and the absent of some decisions, and since when they are known.
    pub(super) fn voters<'a>(
        &self,
        decisions: impl Iterator<Item = &'a Arc<Decision>>,
    ) -> BTreeMap<String, Timestamp> {
        let mut names = BTreeSet::new();
        for decision in decisions.filter(|decision| decision.needs.is_some()) {
            names.extend(decision.votes.iter().flat_map(voters));
            names.extend(self.roster.iter().flat_map(|roster| roster.absences()).map(|away| &away.person));
        }
        let known =
            |name: &String| Some((name.clone(), self.credentials.people.get(name)?.as_ref()?.created_at));
        names.into_iter().filter_map(known).collect()
    }

    /// Returns what must still be loaded for the rules: their authors, and the uses of limited ones. The owner of an
    /// author's token is known only once the token is loaded.
    pub(crate) fn rule_needs(&self) -> RuleNeeds {
        let mut needs = RuleNeeds::default();
        for rules in self.rules.values() {
            for author in rules.authors() {
                let person = match (author.strip_prefix(PERSON), self.credentials.tokens.get(author)) {
                    (None, None) => {
                        needs.tokens.push(author.to_owned());
                        continue;
                    }
                    (None, Some(token)) => token.as_ref().and_then(|token| token.owner.as_deref()),
                    (person, _) => person,
                };
                let unknown = person.filter(|name| !self.credentials.people.contains_key(*name));
                needs.people.extend(unknown.map(str::to_owned));
            }
            // The expiry of a rule is checked where the rule is used.
            let limited = rules.limited(Timestamp::from_millis(i64::MIN)).map(|rule| of_rule(&rule.id));
            needs.streams.extend(limited.filter(|stream| !self.has_version(stream)));
        }
        if !self.voted.is_empty() {
            let decisions = self.voted.iter().filter_map(|number| self.decision(*number));
            let votes = decisions.flat_map(|stored| stored.decision.votes.iter().flat_map(voters));
            let away = self.roster.iter().flat_map(|roster| roster.absences()).map(|away| &away.person);
            let names: BTreeSet<&String> = votes.chain(away).collect();
            let names = names.into_iter().filter(|name| !self.credentials.people.contains_key(*name));
            needs.people.extend(names.cloned());
        }
        needs
    }

    /// Returns the rules of a project that count at a time.
    pub(super) fn in_force(&self, project: &str, now: Timestamp) -> InForce {
        let Some(rules) = self.rules.get(project).filter(|rules| !rules.is_empty()) else {
            return InForce::default();
        };
        let authors = rules
            .authors()
            .filter_map(|author| Some((author.to_owned(), self.known_since(author, project, now)?)));
        let limited = rules.limited(now).map(|rule| (rule.id.clone(), self.version(&of_rule(&rule.id))));
        InForce {
            authors: authors.collect(),
            used: limited.map(|(id, used)| (id, u64::try_from(used).unwrap_or_default())).collect(),
            recent: self.known.uses.counts(now, self.known.trip_limit).into_iter().collect(),
            trip_limit: self.known.trip_limit,
            rules: Arc::clone(rules),
        }
    }

    /// Returns since when the holder of a credential is known, if they may still answer in a project.
    fn known_since(&self, credential: &str, project: &str, now: Timestamp) -> Option<Timestamp> {
        let person = |name: &str| self.credentials.people.get(name).and_then(Option::as_ref);
        if let Some(name) = credential.strip_prefix(PERSON) {
            person(name).filter(|person| person.answers_in(project)).map(|person| person.created_at)
        } else {
            let token = self.credentials.tokens.get(credential).and_then(Option::as_ref);
            token.filter(|token| token.still_speaks_in(project, now, person)).map(|token| token.created_at)
        }
    }

    /// Records which rules answered.
    pub(super) fn note_rules(&self, events: &[Event], now: Timestamp) {
        for event in events {
            match event {
                Event::Resolved { answer, .. } => {
                    if let Some(rule) = answer.by.strip_prefix(BY) {
                        self.known.uses.note(rule, now);
                    }
                }
                // The count starts again.
                Event::RuleResumed { id, .. } => self.known.uses.forget(id),
                _ => {}
            }
        }
    }
}
