//! Compares tokens, people and the authentication setting with the log.

use holdpoint_core::{Person, Timestamp, Token};

use super::{read, save};
use crate::Repair;
use crate::postgres::connection::{Connection, get, int, maybe_int, text};
use crate::postgres::error::Result;
use crate::replay::{Correction, Replay};

const TOKEN: &str = "UPDATE hp.token SET name = $2, role = $3, projects = $4, created_at = $5, created_by = $6, \
    revoked_at = $7, permissions = $8, expires_at = $9, owner = $10 WHERE id = $1";
const PERSON: &str = "INSERT INTO hp.person (name, role, email, projects, password, created_at, accounts, notify) \
    VALUES ($1, $2, $3, $4, NULL, $5, $6, $7) ON CONFLICT (name) DO UPDATE SET role = excluded.role, \
    email = excluded.email, projects = excluded.projects, created_at = excluded.created_at, \
    accounts = excluded.accounts, notify = excluded.notify";

/// Compares them, and repairs what can be restored from the log.
pub(in crate::postgres) async fn inspect(
    connection: &Connection,
    walk: &mut Replay,
    repair: Repair,
) -> Result<()> {
    let tokens = connection.query(read::TOKENS, &[]).await?;
    let tokens = tokens.iter().map(read::token).collect::<Result<_>>()?;
    let people = connection.query(read::PEOPLE, &[]).await?;
    let people = people.iter().map(|row| Ok(read::known_person(row)?.person)).collect::<Result<_>>()?;
    let auth = connection.query(read::AUTH, &[]).await?;
    let auth = auth.first().map(|row| get::<i64>(row, 0)).transpose()? != Some(0);
    let corrections = walk.compare_credentials(tokens, people, auth);
    for correction in corrections.into_iter().filter(|_| repair == Repair::Rebuild) {
        match correction {
            Correction::Token(id, None) => {
                connection.query("DELETE FROM hp.token WHERE id = $1", &[text(&id)]).await?;
            }
            Correction::Token(_, Some(token)) => rewrite_token(connection, token).await?,
            Correction::Person(name, None) => {
                connection.query("DELETE FROM hp.person WHERE name = $1", &[text(&name)]).await?;
            }
            Correction::Person(_, Some(person)) => rewrite_person(connection, person).await?,
            Correction::Auth(required) => {
                connection.query(save::AUTH, &[int(&i64::from(required))]).await?;
            }
        }
    }
    Ok(())
}

async fn rewrite_token(connection: &Connection, token: &Token) -> Result<()> {
    let (role, projects) = (token.role.name(), serde_json::to_string(&token.projects)?);
    let (at, revoked) = (token.created_at.as_millis(), token.revoked_at.map(Timestamp::as_millis));
    let permissions = serde_json::to_string(&token.permissions)?;
    let expires = token.expires_at.map(Timestamp::as_millis);
    let params = [
        text(&token.id),
        text(&token.name),
        text(&role),
        text(&projects),
        int(&at),
        text(&token.created_by),
        maybe_int(&revoked),
        text(&permissions),
        maybe_int(&expires),
        text(&token.owner),
    ];
    connection.query(TOKEN, &params).await.map(drop)
}

async fn rewrite_person(connection: &Connection, person: &Person) -> Result<()> {
    let (role, projects) = (person.role.name(), serde_json::to_string(&person.projects)?);
    let at = person.created_at.as_millis();
    let accounts = serde_json::to_string(&person.accounts)?;
    let notify = serde_json::to_string(&person.notify)?;
    let params = [
        text(&person.name),
        text(&role),
        text(&person.email),
        text(&projects),
        int(&at),
        text(&accounts),
        text(&notify),
    ];
    connection.query(PERSON, &params).await.map(drop)
}
