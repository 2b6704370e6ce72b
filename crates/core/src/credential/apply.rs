//! What an event does to a token or a person.

use super::{Person, Token};
use crate::{Event, Timestamp};

/// Returns a token after an event about it.
pub fn apply_to_token(token: Option<Token>, event: &Event, at: Timestamp) -> Option<Token> {
    match event {
        Event::TokenCreated(created) => Some(Token {
            id: created.id.clone(),
            name: created.name.clone(),
            role: created.role,
            projects: created.projects.clone(),
            permissions: created.permissions.clone(),
            created_at: at,
            created_by: created.by.clone(),
            expires_at: created.expires_at,
            revoked_at: None,
            owner: created.owner.clone(),
        }),
        Event::TokenRevoked { .. } => token.map(|token| Token { revoked_at: Some(at), ..token }),
        _ => token,
    }
}

/// Returns a person after an event about them, or none once they are removed.
pub fn apply_to_person(person: Option<Person>, event: &Event, at: Timestamp) -> Option<Person> {
    match event {
        Event::PersonUpdated(updated) => Some(Person {
            name: updated.id.clone(),
            role: updated.role,
            email: updated.email.clone(),
            projects: updated.projects.clone(),
            created_at: person.map_or(at, |person| person.created_at),
            has_password: updated.has_password,
            accounts: updated.accounts.clone(),
            notify: updated.notify.clone(),
        }),
        Event::PersonRemoved { .. } => None,
        _ => person,
    }
}
