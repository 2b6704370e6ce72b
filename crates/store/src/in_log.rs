//! Whether the row of a credential is what the log says: writing to a table lets nobody sign in.

use holdpoint_core::credential::{apply_to_person, apply_to_token};
use holdpoint_core::{Event, PasswordHash, SecretHash, Timestamp, Token};

use crate::{KnownPerson, Result, body};

/// An event about a credential, as it is kept. Its body is gone where the log forgot a person.
pub(crate) struct Entry {
    pub(crate) tag: String,
    pub(crate) at: i64,
    pub(crate) body: Option<String>,
}

/// Returns a token if the events about it say the same, of its secret too.
pub(crate) fn token(row: Token, hash: &SecretHash, entries: &[Entry]) -> Result<Option<Token>> {
    let (mut said, mut fingerprint) = (None, None);
    for (event, at) in events(entries)? {
        if let Event::TokenCreated { fingerprint: known, .. } = &event {
            fingerprint.clone_from(known);
        }
        said = apply_to_token(said, &event, at);
    }
    // Events of older versions have none.
    let is_same = said.as_ref() == Some(&row) && fingerprint.is_none_or(|known| known == hash.fingerprint());
    Ok(believed(is_same, "token", &row.id).then_some(row))
}

/// Returns a person if the events about them say the same, of their password too.
pub(crate) fn person(row: KnownPerson, entries: &[Entry]) -> Result<Option<KnownPerson>> {
    let (mut said, mut fingerprint) = (None, None);
    for (event, at) in events(entries)? {
        match &event {
            Event::PersonUpdated { new_password: true, fingerprint: known, .. } => {
                fingerprint.clone_from(known);
            }
            Event::PersonRemoved { .. } => fingerprint = None,
            _ => {}
        }
        said = apply_to_person(said, &event, at);
    }
    let password = row.password.as_ref().map(PasswordHash::fingerprint);
    let is_same = said.as_ref() == Some(&row.person) && (fingerprint.is_none() || fingerprint == password);
    Ok(believed(is_same, "person", &row.person.name).then_some(row))
}

fn events(entries: &[Entry]) -> Result<Vec<(Event, Timestamp)>> {
    let kept = entries.iter().filter_map(|entry| Some((entry, entry.body.as_deref()?)));
    kept.map(|(entry, text)| Ok((body::decode(&entry.tag, text)?, Timestamp::from_millis(entry.at))))
        .collect()
}

fn believed(is_same: bool, what: &str, name: &str) -> bool {
    if !is_same {
        tracing::error!(
            "{what} {name} is not what the log says of it, and counts for nothing; see hold doctor"
        );
    }
    is_same
}
