//! Checks the row of a credential against the log, and whether keys vouch for that part of the log, so that nobody
//! gains access by writing to the tables, not even to the log's own.

use holdpoint_core::credential::{apply_to_person, apply_to_token};
use holdpoint_core::{Event, Job, PasswordHash, SecretHash, Timestamp, Token};

use crate::chain::PERSON_REMOVED;
use crate::history::{self, is_whole};
use crate::{Error, KnownPerson, LogRow, Result, Store, vouch};

/// How often a read is repeated if others change the data meanwhile.
const TRIES: usize = 3;

/// A row that agrees with the log, and the events that prove it.
pub(crate) type ProvenRow<T> = Option<(T, Vec<LogRow>)>;

/// Returns a token if it agrees with its events, including its secret.
pub(crate) fn token(row: Token, hash: &SecretHash, links: Vec<LogRow>) -> ProvenRow<Token> {
    let (mut said, mut fingerprint) = (None, None);
    for (_, event, at) in history::events(&links, Some(PERSON_REMOVED)).unwrap_or_default() {
        if let Event::TokenCreated(created) = &event {
            fingerprint.clone_from(&created.fingerprint);
        }
        said = apply_to_token(said, &event, at);
    }
    // Events of older versions have no fingerprint.
    let is_same = said.as_ref() == Some(&row) && fingerprint.is_none_or(|known| known == hash.fingerprint());
    believed(is_same, "token", &row.id).then_some((row, links))
}

/// Returns a person if they agree with their events, including their password.
pub(crate) fn person(row: KnownPerson, links: Vec<LogRow>) -> ProvenRow<KnownPerson> {
    let (mut said, mut fingerprint) = (None, None);
    for (_, event, at) in history::events(&links, Some(PERSON_REMOVED)).unwrap_or_default() {
        match &event {
            Event::PersonUpdated(updated) if updated.new_password => {
                fingerprint.clone_from(&updated.fingerprint);
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

/// Returns a session if the event that began it is intact.
pub(crate) fn session<T>(row: T, person: &str, began: LogRow) -> ProvenRow<T> {
    believed(is_whole(&began), "a session of", person).then(|| (row, vec![began]))
}

/// Returns a row that agrees with the log. Where a server authenticates callers, the store's keys must also vouch for
/// every event behind it, and no event that this process knows may be missing; an embedded store is shared by everyone
/// who can write to it.
pub(crate) async fn attested<T>(store: &dyn Store, found: ProvenRow<T>) -> Result<Option<T>> {
    let Some((value, links)) = found else { return Ok(None) };
    if !store.vouching().is_strict() {
        return Ok(Some(value));
    }
    if !are_proven(store, &links).await? {
        return Ok(None);
    }
    let is_newest = links.last().is_none_or(|last| store.vouching().is_newest(last));
    Ok(believed(is_newest, "the last event about", links.first().map_or("", |link| &link.stream))
        .then_some(value))
}

/// Returns whether the store's keys vouch for each of some events.
pub(crate) async fn are_proven(store: &dyn Store, links: &[LogRow]) -> Result<bool> {
    let Some(signer) = store.signer() else { return Ok(true) };
    for link in links {
        let mut doubt = history::doubt(store, signer.as_ref(), link).await?;
        if doubt.is_some() {
            // The log may not have been signed since.
            vouch::sign(store, Timestamp::from_millis(link.at)).await?;
            doubt = history::doubt(store, signer.as_ref(), link).await?;
        }
        if !believed(doubt.is_none(), "event", &link.seq.to_string()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns a job or crew if its row matches the log and the store's keys vouch for that, because its commands are run.
///
/// # Errors
/// Reports the store as damaged otherwise.
pub async fn proven_job(store: &dyn Store, id: &str) -> Result<Option<Job>> {
    let known = &store.vouching().jobs;
    for _ in 0..TRIES {
        // The row is read first: an event between the two reads is in the log, and then the row is read again.
        let Some((stream, row)) = store.job_row(id).await? else { return Ok(None) };
        let links = store.stream(&stream, known.version(&stream)).await?;
        if !are_proven(store, &links).await? {
            break;
        }
        let is_newest = links.last().is_none_or(|last| store.vouching().is_newest(last));
        let is_same = known.go_on(&stream, &links).is_ok_and(|(_, folded)| folded.as_ref() == Some(&row));
        if is_same && is_newest && row.job.id == id {
            return Ok(Some(Job::clone(&row.job)));
        }
        known.forget(&stream);
    }
    Err(Error::Corrupt(format!("{id} is not what the log says of it, and is not run; see hold doctor")))
}

fn believed(is_same: bool, what: &str, name: &str) -> bool {
    if !is_same {
        tracing::error!("{what} {name} does not match the log, and is ignored; see hold doctor");
    }
    is_same
}
