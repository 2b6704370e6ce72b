//! Tokens, people, sessions and used links in the embedded store.

use async_trait::async_trait;
use holdpoint_core::{Person, SecretHash, Timestamp, Token};

use crate::in_log;
use crate::sqlite::credentials::{read, session};
use crate::sqlite::{Sqlite, credentials};
use crate::{Credentials, KnownPerson, LinkUse, Result, Session};

#[async_trait]
impl Credentials for Sqlite {
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>> {
        in_log::attested(self, self.read(|reader| read::token_by_hash(&reader.connection, hash))?).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        self.read(|reader| read::tokens(&reader.connection))
    }

    async fn person(&self, name: &str) -> Result<Option<KnownPerson>> {
        in_log::attested(self, self.read(|reader| read::person(&reader.connection, name))?).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        self.read(|reader| read::people(&reader.connection))
    }

    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>> {
        in_log::attested(self, self.read(|reader| session::session(&reader.connection, hash, now))?).await
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
        self.read(|reader| credentials::auth_required(&reader.connection))
    }
}
