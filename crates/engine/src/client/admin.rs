//! What admins manage, from this process or over HTTP.

use async_trait::async_trait;
use holdpoint_core::{Person, Token};
use holdpoint_store::OutboxState;

use super::Embedded;
use crate::auth::{CreatedToken, NewPerson, NewToken};
use crate::error::{Error, Result};
use crate::outbox::Undelivered;

/// What admins do with tokens, people, authentication and undelivered notices.
#[async_trait]
pub trait Admin: Send + Sync {
    /// Makes a token; its secret is never shown again.
    async fn create_token(&self, new: NewToken) -> Result<CreatedToken>;

    /// Lists tokens, revoked ones too, oldest first.
    async fn tokens(&self) -> Result<Vec<Token>>;

    /// Ends a token, named by its id or a unique start of it.
    async fn revoke_token(&self, id: &str) -> Result<Token>;

    /// Creates a person, or replaces what is known about them except the password.
    async fn put_person(&self, new: NewPerson) -> Result<Person>;

    /// Lists people by name.
    async fn people(&self) -> Result<Vec<Person>>;

    /// Forgets a person and ends their sessions.
    async fn remove_person(&self, name: &str) -> Result<()>;

    /// Makes a one-time link by which a person signs in to the web; the whole address.
    async fn sign_in_link(&self, name: &str) -> Result<String>;

    /// Returns whether the store is written only by a server that authenticates callers.
    async fn auth_required(&self) -> Result<bool>;

    /// Returns the name of the caller, if a credential gives one.
    async fn whoami(&self) -> Result<Option<String>>;

    /// Sets whether the store is written only by a server that authenticates callers.
    async fn set_auth(&self, required: bool) -> Result<()>;

    /// Lists notices that were not delivered, oldest first: those that wait, those that were given up, or both.
    async fn outbox(&self, state: Option<OutboxState>, limit: usize) -> Result<Vec<Undelivered>>;

    /// Has a notice sent again.
    async fn resend(&self, id: i64) -> Result<()>;
}

#[async_trait]
impl Admin for Embedded {
    async fn create_token(&self, new: NewToken) -> Result<CreatedToken> {
        self.engine().create_token(self.caller(), new).await
    }

    async fn tokens(&self) -> Result<Vec<Token>> {
        self.engine().tokens(self.caller()).await
    }

    async fn revoke_token(&self, id: &str) -> Result<Token> {
        self.engine().revoke_token(self.caller(), id).await
    }

    async fn put_person(&self, new: NewPerson) -> Result<Person> {
        self.engine().put_person(self.caller(), new).await
    }

    async fn people(&self) -> Result<Vec<Person>> {
        self.engine().people(self.caller()).await
    }

    async fn remove_person(&self, name: &str) -> Result<()> {
        self.engine().remove_person(self.caller(), name).await
    }

    async fn sign_in_link(&self, _: &str) -> Result<String> {
        // A link is of use only if a server accepts it, and that server makes it.
        Err(Error::Settings("no server runs here to sign in to; start one with: hold serve".into()))
    }

    async fn auth_required(&self) -> Result<bool> {
        self.engine().auth_required().await
    }

    async fn whoami(&self) -> Result<Option<String>> {
        Ok(self.caller().credential_name().map(str::to_owned))
    }

    async fn set_auth(&self, required: bool) -> Result<()> {
        self.engine().set_auth(self.caller(), required).await
    }

    async fn outbox(&self, state: Option<OutboxState>, limit: usize) -> Result<Vec<Undelivered>> {
        self.engine().outbox(self.caller(), state, limit).await
    }

    async fn resend(&self, id: i64) -> Result<()> {
        self.engine().resend(self.caller(), id).await
    }
}
