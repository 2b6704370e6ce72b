//! Loads the credentials that a batch needs.

use rusqlite::{Connection, OptionalExtension};

use super::read;
use crate::Result;
use crate::plan::{NamedCredential, Needs, Snapshot};

/// Returns whether only a server that authenticates callers may write to the store.
pub(in crate::sqlite) fn auth_required(connection: &Connection) -> Result<bool> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE name = 'auth_required'")?;
    let value: Option<i64> = statement.query_row([], |row| row.get(0)).optional()?;
    // Removing the setting from the table does not open the store.
    Ok(value != Some(0))
}

/// Loads what one command needs, except what is loaded already.
pub(in crate::sqlite) fn needs(
    connection: &Connection,
    snapshot: &mut Snapshot,
    needs: &Needs,
) -> Result<()> {
    let loaded = &mut snapshot.credentials;
    if let Some(id) = needs.credential.as_ref().and_then(NamedCredential::token)
        && !loaded.tokens.contains_key(id)
    {
        loaded.tokens.insert(id.to_owned(), read::token_by_id(connection, id)?);
    }
    if let Some(name) = needs.credential.as_ref().and_then(NamedCredential::person)
        && !loaded.people.contains_key(name)
    {
        let known = read::person(connection, name)?;
        loaded.people.insert(name.to_owned(), known.map(|(known, _)| known.person));
    }
    if let Some(name) = needs.credential.as_ref().and_then(NamedCredential::name)
        && !loaded.names.contains_key(name)
    {
        loaded.names.insert(name.to_owned(), read::roles_of(connection, name)?);
    }
    if let Some(nonce) = &needs.link
        && !loaded.links.contains_key(nonce)
    {
        loaded.links.insert(nonce.clone(), read::is_link_used(connection, nonce)?);
    }
    Ok(())
}

/// Loads the authors of rules.
pub(in crate::sqlite) fn authors(
    connection: &Connection,
    snapshot: &mut Snapshot,
    tokens: Vec<String>,
    people: Vec<String>,
) -> Result<()> {
    for id in tokens {
        let token = read::token_by_id(connection, &id)?;
        snapshot.credentials.tokens.insert(id, token);
    }
    for name in people {
        let known = read::person(connection, &name)?;
        snapshot.credentials.people.insert(name, known.map(|(known, _)| known.person));
    }
    Ok(())
}
