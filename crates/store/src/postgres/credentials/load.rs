//! Loads the credentials that a batch needs.

use super::read;
use crate::plan::Loaded;
use crate::postgres::connection::{Connection, get, send, texts};
use crate::postgres::error::Result;

const ROLES: &str = "SELECT name, role FROM hp.token WHERE name = ANY($1) AND revoked_at IS NULL \
    UNION SELECT name, role FROM hp.person WHERE name = ANY($1)";
const LINKS: &str = "SELECT nonce FROM hp.used_link WHERE nonce = ANY($1)";

/// What the commands of a batch name.
#[derive(Default)]
pub(in crate::postgres) struct CredentialNeeds {
    pub(in crate::postgres) tokens: Vec<String>,
    pub(in crate::postgres) people: Vec<String>,
    pub(in crate::postgres) links: Vec<String>,
    /// Names to be given to tokens or people.
    pub(in crate::postgres) names: Vec<String>,
}

/// Loads the credentials that a batch names, if any.
pub(in crate::postgres) async fn load(
    connection: &Connection,
    loaded: &mut Loaded,
    wanted: CredentialNeeds,
) -> Result<()> {
    let CredentialNeeds { tokens, people, links, names } = wanted;
    if tokens.is_empty() && people.is_empty() && links.is_empty() {
        return Ok(());
    }
    let sends = [
        send(read::TOKENS_BY_ID, &[texts(&tokens)]),
        send(read::PEOPLE_BY_NAME, &[texts(&people)]),
        send(LINKS, &[texts(&links)]),
        send(ROLES, &[texts(&names)]),
    ];
    let found = connection.pipeline(&sends).await?;
    for row in &found[0] {
        let token = read::token(row)?;
        loaded.tokens.insert(token.id.clone(), Some(token));
    }
    for row in &found[1] {
        let person = read::known_person(row)?.person;
        loaded.people.insert(person.name.clone(), Some(person));
    }
    for row in &found[2] {
        loaded.links.insert(get(row, 0)?, true);
    }
    for row in &found[3] {
        loaded.names.entry(get(row, 0)?).or_default().push(read::role(row, 1)?);
    }
    for id in tokens {
        loaded.tokens.entry(id).or_default();
    }
    for name in people {
        loaded.people.entry(name).or_default();
    }
    for nonce in links {
        loaded.links.entry(nonce).or_default();
    }
    Ok(())
}
