//! Whether the row of a credential is what the log says, and whether somebody answers for that part of the log: writing to
//! the tables, the log's own included, lets nobody in.

use holdpoint_core::credential::{apply_to_person, apply_to_token};
use holdpoint_core::{Event, PasswordHash, SecretHash, Timestamp, Token};

use crate::history::{self, is_whole};
use crate::{KnownPerson, Link, Result, Store, body, vouch};

/// A row that agrees with the log, and the events that say so.
pub(crate) type Told<T> = Option<(T, Vec<Link>)>;

/// The tag of the event after which what is known of a person is gone.
const FORGOTTEN: &str = crate::chain::PERSON_REMOVED;

/// Returns a token if the events about it say the same, of its secret too.
pub(crate) fn token(row: Token, hash: &SecretHash, links: Vec<Link>) -> Told<Token> {
    let (mut said, mut fingerprint) = (None, None);
    for (event, at) in events(&links).unwrap_or_default() {
        if let Event::TokenCreated { fingerprint: known, .. } = &event {
            fingerprint.clone_from(known);
        }
        said = apply_to_token(said, &event, at);
    }
    // Events of older versions have none.
    let is_same = said.as_ref() == Some(&row) && fingerprint.is_none_or(|known| known == hash.fingerprint());
    believed(is_same, "token", &row.id).then_some((row, links))
}

/// Returns a person if the events about them say the same, of their password too.
pub(crate) fn person(row: KnownPerson, links: Vec<Link>) -> Told<KnownPerson> {
    let (mut said, mut fingerprint) = (None, None);
    for (event, at) in events(&links).unwrap_or_default() {
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
    believed(is_same, "person", &row.person.name).then_some((row, links))
}

/// Returns a session if the event by which it began is what was recorded.
pub(crate) fn session<T>(row: T, person: &str, began: Link) -> Told<T> {
    believed(is_whole(&began), "a session of", person).then(|| (row, vec![began]))
}

/// Reads the events; nothing if one is not what was recorded, or is erased where nothing was to be forgotten.
fn events(links: &[Link]) -> Option<Vec<(Event, Timestamp)>> {
    let forgotten = links.iter().rposition(|link| link.tag == FORGOTTEN).unwrap_or(0);
    let mut events = Vec::with_capacity(links.len());
    for (at, link) in links.iter().enumerate() {
        if !is_whole(link) {
            return None;
        }
        match &link.body {
            Some(text) => {
                let event = body::decode(&link.tag, text).ok()?;
                events.push((event, Timestamp::from_millis(link.at)));
            }
            None if at < forgotten => {}
            None => return None,
        }
    }
    Some(events)
}

/// Returns what was found only if the store's keys answer for every event behind it, and none that this process knows of
/// is missing. Called where a server checks who comes in.
pub(crate) async fn attested<T>(store: &dyn Store, found: Told<T>) -> Result<Option<T>> {
    let Some((value, links)) = found else { return Ok(None) };
    let Some(signer) = store.signer() else { return Ok(Some(value)) };
    let vouching = store.vouching();
    for link in &links {
        if vouching.is_proven(link) {
            continue;
        }
        let mut doubt = history::doubt(store, signer.as_ref(), link).await?;
        if doubt.is_some() {
            // Perhaps nobody has signed since.
            vouch::sign(store, Timestamp::from_millis(link.at)).await?;
            doubt = history::doubt(store, signer.as_ref(), link).await?;
        }
        if !believed(doubt.is_none(), "event", &link.seq.to_string()) {
            return Ok(None);
        }
        vouching.keep_proven(link);
    }
    let is_newest = links.last().is_none_or(|last| vouching.is_newest(last));
    Ok(believed(is_newest, "the last event about", links.first().map_or("", |link| &link.stream))
        .then_some(value))
}

fn believed(is_same: bool, what: &str, name: &str) -> bool {
    if !is_same {
        tracing::error!(
            "{what} {name} is not what the log says of it, and counts for nothing; see hold doctor"
        );
    }
    is_same
}
