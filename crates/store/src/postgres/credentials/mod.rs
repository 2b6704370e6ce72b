//! Tokens, people, sessions and used links in the shared store.

mod inspect;
mod load;
mod read;
mod save;
mod session;

use async_trait::async_trait;
use holdpoint_core::{Person, SecretHash, Timestamp, Token};

pub(super) use inspect::inspect;
pub(super) use load::{Wanted, load};
pub(super) use save::save;

use super::Postgres;
use super::connection::get;
use super::pool::Pool;
use crate::in_log::{self, Told};
use crate::{CheckpointPolicy, Credentials, KnownPerson, LinkUse, Result, Session};

#[async_trait]
impl Credentials for Postgres {
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>> {
        self.trusted(read::token_by_hash(self.pool(), hash).await?).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self
            .pool()
            .query(read::TOKENS, &[])
            .await?
            .iter()
            .map(read::token)
            .collect::<super::error::Result<_>>()?)
    }

    async fn person(&self, name: &str) -> Result<Option<KnownPerson>> {
        self.trusted(read::person(self.pool(), name).await?).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        let rows = self.pool().query(read::PEOPLE, &[]).await?;
        let people = rows.iter().map(|row| Ok(read::known_person(row)?.person));
        Ok(people.collect::<super::error::Result<_>>()?)
    }

    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>> {
        self.trusted(session::session(self.pool(), hash, now).await?).await
    }

    async fn extend_session(&self, hash: &SecretHash, expires_at: Timestamp) -> Result<()> {
        Ok(session::extend(self.pool(), hash, expires_at).await?)
    }

    async fn end_session(&self, hash: &SecretHash) -> Result<()> {
        Ok(session::end(self.pool(), hash).await?)
    }

    async fn end_sessions_of(&self, person: &str) -> Result<usize> {
        Ok(session::end_all_of(self.pool(), person).await?)
    }

    async fn use_link(&self, link: &LinkUse, now: Timestamp) -> Result<bool> {
        Ok(session::use_link(self.pool(), link, now).await?)
    }

    async fn is_link_used(&self, nonce: &str) -> Result<bool> {
        Ok(read::is_link_used(self.pool(), nonce).await?)
    }

    async fn auth_required(&self) -> Result<bool> {
        Ok(auth_required(self.pool()).await?)
    }
}

impl Postgres {
    /// Returns what was found where somebody answers for it. An embedded store is shared by everybody who can write it.
    async fn trusted<T: Send>(&self, found: Told<T>) -> Result<Option<T>> {
        match self.shared.options.policy {
            CheckpointPolicy::ByCaller => in_log::attested(self, found).await,
            CheckpointPolicy::EveryCommit => Ok(found.map(|(value, _)| value)),
        }
    }
}

const AUTH: &str = "SELECT value FROM hp.meta WHERE name = 'auth_required'";

async fn auth_required(pool: &Pool) -> super::error::Result<bool> {
    let rows = pool.query(AUTH, &[]).await?;
    let value = rows.first().map(|row| get::<i64>(row, 0)).transpose()?;
    // A setting that someone took away does not open the store.
    Ok(value != Some(0))
}
