//! Compares tokens, people and the authentication setting with the log.
//!
//! Hashes are not in the log, so a lost row cannot be restored; but no role can be gained by writing to the table.

use std::collections::BTreeMap;

use holdpoint_core::credential::{apply_to_person, apply_to_token};
use holdpoint_core::{Event, Person, Timestamp, Token};

use crate::Inspection;

/// Credentials according to the log.
#[derive(Default)]
pub(super) struct Credentials {
    tokens: BTreeMap<String, Token>,
    people: BTreeMap<String, Person>,
    auth_required: bool,
}

/// A row to be rewritten; one without a correct value is deleted.
pub(crate) enum Correction<'a> {
    Token(String, Option<&'a Token>),
    Person(String, Option<&'a Person>),
    Auth(bool),
}

impl Credentials {
    pub(super) fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::TokenCreated(created) => self.apply_to_token(&created.id, event, at),
            Event::TokenRevoked { id, .. } => self.apply_to_token(id, event, at),
            Event::PersonUpdated(updated) => self.apply_to_person(&updated.id, event, at),
            Event::PersonRemoved { id, .. } => self.apply_to_person(id, event, at),
            Event::AuthUpdated { required, .. } => self.auth_required = *required,
            _ => {}
        }
    }

    fn apply_to_token(&mut self, id: &str, event: &Event, at: Timestamp) {
        let token = apply_to_token(self.tokens.remove(id), event, at);
        self.tokens.extend(token.map(|token| (id.to_owned(), token)));
    }

    fn apply_to_person(&mut self, id: &str, event: &Event, at: Timestamp) {
        let person = apply_to_person(self.people.remove(id), event, at);
        self.people.extend(person.map(|person| (id.to_owned(), person)));
    }

    pub(super) fn compare(
        &self,
        tokens: Vec<Token>,
        people: Vec<Person>,
        auth_required: bool,
        inspection: &mut Inspection,
    ) -> Vec<Correction<'_>> {
        let mut corrections = Vec::new();
        let tokens = tokens.into_iter().map(|token| (token.id.clone(), token)).collect();
        for id in differing(&self.tokens, &tokens) {
            inspection.findings.push(format!("token {id} does not match the log"));
            corrections.push(Correction::Token(id.clone(), self.tokens.get(&id)));
        }
        let people = people.into_iter().map(|person| (person.name.clone(), person)).collect();
        for name in differing(&self.people, &people) {
            inspection.findings.push(format!("person {name:?} does not match the log"));
            corrections.push(Correction::Person(name.clone(), self.people.get(&name)));
        }
        if auth_required != self.auth_required {
            inspection.findings.push("whether authentication is on is not what the log says".into());
            corrections.push(Correction::Auth(self.auth_required));
        }
        corrections
    }
}

fn differing<T: PartialEq>(log: &BTreeMap<String, T>, table: &BTreeMap<String, T>) -> Vec<String> {
    let changed = log.iter().filter(|(id, right)| table.get(*id) != Some(right));
    let unknown = table.iter().filter(|(id, _)| !log.contains_key(*id));
    changed.chain(unknown).map(|(id, _)| id.clone()).collect()
}
