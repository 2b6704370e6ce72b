//! Compares tokens, people and the setting with what the log makes of them.
//!
//! Hashes are not in the log, so a row that is lost stays lost; but nobody gets a role by writing to the table.

use std::collections::BTreeMap;

use holdpoint_core::credential::{apply_to_person, apply_to_token};
use holdpoint_core::{Event, Person, Timestamp, Token};
use rusqlite::{Connection, params};

use super::{auth_required, read};
use crate::sqlite::replay::Mend;
use crate::{Inspection, Result, body};

/// Compares, and mends what the log can tell.
pub(in crate::sqlite) fn inspect(
    connection: &Connection,
    inspection: &mut Inspection,
    mend: Mend,
) -> Result<()> {
    let log = replay(connection)?;
    let tokens: BTreeMap<String, Token> =
        read::tokens(connection)?.into_iter().map(|token| (token.id.clone(), token)).collect();
    let people: BTreeMap<String, Person> =
        read::people(connection)?.into_iter().map(|person| (person.name.clone(), person)).collect();
    for id in differing(&log.tokens, &tokens) {
        inspection.findings.push(format!("token {id} is not what the log makes of it"));
        if mend == Mend::Yes {
            mend_token(connection, id, log.tokens.get(id))?;
        }
    }
    for name in differing(&log.people, &people) {
        inspection.findings.push(format!("person {name:?} is not what the log makes of them"));
        if mend == Mend::Yes {
            mend_person(connection, name, log.people.get(name))?;
        }
    }
    if auth_required(connection)? != log.auth_required {
        inspection.findings.push("whether authentication is on is not what the log says".into());
        if mend == Mend::Yes {
            connection.execute(
                "INSERT INTO meta (name, value) VALUES ('auth_required', ?1) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [log.auth_required],
            )?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Log {
    tokens: BTreeMap<String, Token>,
    people: BTreeMap<String, Person>,
    auth_required: bool,
}

fn replay(connection: &Connection) -> Result<Log> {
    let mut log = Log::default();
    let mut statement = connection.prepare(
        "SELECT type, at, body FROM event WHERE body IS NOT NULL AND type IN \
         ('token:created', 'token:revoked', 'person:updated', 'person:removed', 'auth:updated') ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (tag, at, text): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let at = Timestamp::from_millis(at);
        // What cannot be read is named where the whole log is replayed.
        let Ok(event) = body::decode(&tag, &text) else { continue };
        match &event {
            Event::TokenCreated { id, .. } | Event::TokenRevoked { id, .. } => {
                let token = apply_to_token(log.tokens.remove(id), &event, at);
                log.tokens.extend(token.map(|token| (id.clone(), token)));
            }
            Event::PersonUpdated { id, .. } | Event::PersonRemoved { id, .. } => {
                let person = apply_to_person(log.people.remove(id), &event, at);
                log.people.extend(person.map(|person| (id.clone(), person)));
            }
            Event::AuthUpdated { required, .. } => log.auth_required = *required,
            _ => {}
        }
    }
    Ok(log)
}

fn differing<'a, T: PartialEq>(
    log: &'a BTreeMap<String, T>,
    table: &'a BTreeMap<String, T>,
) -> Vec<&'a String> {
    let changed = log.iter().filter(|(id, right)| table.get(*id) != Some(right));
    let unknown = table.iter().filter(|(id, _)| !log.contains_key(*id));
    changed.chain(unknown).map(|(id, _)| id).collect()
}

fn mend_token(connection: &Connection, id: &str, right: Option<&Token>) -> Result<()> {
    match right {
        None => connection.execute("DELETE FROM token WHERE id = ?1", [id])?,
        Some(token) => connection.execute(
            "UPDATE token SET name = ?2, role = ?3, projects = ?4, created_at = ?5, created_by = ?6, revoked_at = ?7 \
             WHERE id = ?1",
            params![
                id,
                token.name,
                token.role.name(),
                serde_json::to_string(&token.projects)?,
                token.created_at.as_millis(),
                token.created_by,
                token.revoked_at.map(Timestamp::as_millis),
            ],
        )?,
    };
    Ok(())
}

fn mend_person(connection: &Connection, name: &str, right: Option<&Person>) -> Result<()> {
    match right {
        None => connection.execute("DELETE FROM person WHERE name = ?1", [name])?,
        Some(person) => connection.execute(
            "INSERT INTO person (name, role, email, projects, password, created_at) \
             VALUES (?1, ?2, ?3, ?4, NULL, ?5) \
             ON CONFLICT (name) DO UPDATE SET role = excluded.role, email = excluded.email, \
             projects = excluded.projects, created_at = excluded.created_at",
            params![
                name,
                person.role.name(),
                person.email,
                serde_json::to_string(&person.projects)?,
                person.created_at.as_millis(),
            ],
        )?,
    };
    Ok(())
}
