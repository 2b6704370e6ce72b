//! The standing rules that a batch goes by: what they need beside themselves, and which of them count.

use std::sync::Arc;

use holdpoint_core::people::Policy;
use holdpoint_core::rule::{BY, InForce};
use holdpoint_core::{Event, Timestamp};

use super::Snapshot;
use super::stream::of_rule;

/// How the credential of a person begins.
const PERSON: &str = "person:";

/// What is to be loaded beside the rules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleNeeds {
    /// The tokens that rules were made with.
    pub(crate) tokens: Vec<String>,
    /// The people who made rules.
    pub(crate) people: Vec<String>,
    /// The streams whose versions say how often rules were used.
    pub(crate) streams: Vec<String>,
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

    /// Returns whether the decision in a row takes the votes of several people.
    pub(crate) fn takes_votes(&self, number: i64) -> bool {
        self.decision(number).is_some_and(|stored| stored.decision.needs.is_some())
    }

    /// Returns what must be known of the rules that were loaded: who made them, and how often limited ones were used.
    pub(crate) fn rule_needs(&self) -> RuleNeeds {
        let mut needs = RuleNeeds::default();
        for rules in self.rules.values() {
            for author in rules.authors() {
                match author.strip_prefix(PERSON) {
                    Some(name) if !self.credentials.people.contains_key(name) => {
                        needs.people.push(name.to_owned());
                    }
                    None if !self.credentials.tokens.contains_key(author) => {
                        needs.tokens.push(author.to_owned());
                    }
                    _ => {}
                }
            }
            // Whether a rule's time is over is looked at where it is used.
            let limited = rules.limited(Timestamp::from_millis(i64::MIN)).map(|rule| of_rule(&rule.id));
            needs.streams.extend(limited.filter(|stream| !self.has_version(stream)));
        }
        needs
    }

    /// Returns the rules of a project, and which of them count at a time.
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
            recent: self.known.uses.counts(now).collect(),
            rules: Arc::clone(rules),
        }
    }

    /// Returns since when the holder of a credential is known, if they may still answer in a project.
    fn known_since(&self, credential: &str, project: &str, now: Timestamp) -> Option<Timestamp> {
        if let Some(name) = credential.strip_prefix(PERSON) {
            let person = self.credentials.people.get(name).and_then(Option::as_ref);
            person.filter(|person| person.answers_in(project)).map(|person| person.created_at)
        } else {
            let token = self.credentials.tokens.get(credential).and_then(Option::as_ref);
            token.filter(|token| token.answers_in(project, now)).map(|token| token.created_at)
        }
    }

    /// Notes which rules answered.
    pub(super) fn note_rules(&self, events: &[Event], now: Timestamp) {
        for event in events {
            match event {
                Event::Resolved { answer, .. } => {
                    if let Some(rule) = answer.by.strip_prefix(BY) {
                        self.known.uses.note(rule, now);
                    }
                }
                // It starts anew.
                Event::RuleResumed { id, .. } => self.known.uses.forget(id),
                _ => {}
            }
        }
    }
}
