//! Tokens, people, sessions and used links in the embedded store.

mod inspect;
mod load;
mod read;
mod save;
mod session;

use async_trait::async_trait;
use holdpoint_core::{Person, SecretHash, Timestamp, Token};

pub(super) use inspect::inspect;
pub(super) use load::{auth_required, authors, needs};
pub(super) use save::save;

use super::Sqlite;
use crate::in_log::{self, Told};
use crate::{CheckpointPolicy, Credentials, KnownPerson, LinkUse, Result, Session};

#[async_trait]
impl Credentials for Sqlite {
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>> {
        self.trusted(self.read(|reader| read::token_by_hash(&reader.connection, hash))?).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        self.read(|reader| read::tokens(&reader.connection))
    }

    async fn person(&self, name: &str) -> Result<Option<KnownPerson>> {
        self.trusted(self.read(|reader| read::person(&reader.connection, name))?).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        self.read(|reader| read::people(&reader.connection))
    }

    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>> {
        self.trusted(self.read(|reader| session::session(&reader.connection, hash, now))?).await
    }

    async fn extend_session(&self, hash: &SecretHash, expires_at: Timestamp) -> Result<()> {
        let hash = *hash;
        self.writer().write(move |tx, _| session::extend(tx, &hash, expires_at)).await.map(drop)
    }

    async fn end_session(&self, hash: &SecretHash) -> Result<()> {
        let hash = *hash;
        self.writer().write(move |tx, _| session::end(tx, &hash)).await.map(drop)
    }

    async fn end_sessions_of(&self, person: &str) -> Result<usize> {
        let person = person.to_owned();
        self.writer().write(move |tx, _| session::end_all_of(tx, &person)).await
    }

    async fn use_link(&self, link: &LinkUse, now: Timestamp) -> Result<bool> {
        let link = link.clone();
        self.writer().write(move |tx, _| Ok(session::use_link(tx, &link, now)? > 0)).await
    }

    async fn is_link_used(&self, nonce: &str) -> Result<bool> {
        self.read(|reader| read::is_link_used(&reader.connection, nonce))
    }

    async fn auth_required(&self) -> Result<bool> {
        self.read(|reader| auth_required(&reader.connection))
    }
}

impl Sqlite {
    /// Returns what was found where somebody answers for it. An embedded store is shared by everybody who can write it.
    async fn trusted<T: Send>(&self, found: Told<T>) -> Result<Option<T>> {
        match self.shared.options.policy {
            CheckpointPolicy::ByCaller => in_log::attested(self, found).await,
            CheckpointPolicy::EveryCommit => Ok(found.map(|(value, _)| value)),
        }
    }
}
