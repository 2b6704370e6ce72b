//! Tokens, people, sessions and used links in the shared store.

use async_trait::async_trait;
use holdpoint_core::{Person, SecretHash, Timestamp, Token};

use crate::in_log;
use crate::postgres::Postgres;
use crate::postgres::credentials::{read, session};
use crate::{Credentials, KnownPerson, LinkUse, Result, Session};

#[async_trait]
impl Credentials for Postgres {
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>> {
        in_log::attested(self, read::token_by_hash(self.pool(), hash).await?).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self
            .pool()
            .query(read::TOKENS, &[])
            .await?
            .iter()
            .map(read::token)
            .collect::<crate::postgres::error::Result<_>>()?)
    }

    async fn person(&self, name: &str) -> Result<Option<KnownPerson>> {
        in_log::attested(self, read::person(self.pool(), name).await?).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        let rows = self.pool().query(read::PEOPLE, &[]).await?;
        let people = rows.iter().map(|row| Ok(read::known_person(row)?.person));
        Ok(people.collect::<crate::postgres::error::Result<_>>()?)
    }

    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>> {
        in_log::attested(self, session::session(self.pool(), hash, now).await?).await
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
        Ok(read::auth_required(self.pool()).await?)
    }
}
