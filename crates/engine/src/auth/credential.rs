//! Which credentials are valid. A handler that holds a request open can check again when some credential was changed.

use std::sync::Arc;

use holdpoint_core::{SecretHash, Token};
use tokio::sync::watch;

use super::{Caller, local};
use crate::engine::Engine;
use crate::error::Result;

/// What someone came in with, by its hash. It can be looked at again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A token.
    Token(SecretHash),
    /// A session of a browser.
    Session(SecretHash),
}

impl Engine {
    /// Returns a signal that carries how often credentials were changed, here or by what the log tells.
    pub fn credential_changes(&self) -> watch::Receiver<u64> {
        self.token_cache.changes.subscribe()
    }

    /// Signs what was just recorded about a credential: other nodes believe it only then.
    pub(super) async fn sign_credentials(&self) {
        if self.hub.is_some() {
            self.sign_if_sound().await;
        }
    }

    /// Returns the caller a credential stands for now; none if it is no longer valid.
    pub async fn caller_of(&self, credential: Credential, via: &str) -> Result<Option<Caller>> {
        match credential {
            Credential::Token(hash) => {
                let token = self.store.token_by_hash(&hash).await?;
                let token = token.filter(|token| token.in_force(self.clock.now()));
                Ok(token.map(|token| Caller::of_token(&token, via)))
            }
            Credential::Session(hash) => match self.store.session(&hash, self.now().await?).await? {
                Some(session) => self.caller_of_session(&session.person, via).await,
                None => Ok(None),
            },
        }
    }

    /// Returns the token in force whose secret has a hash.
    pub(super) async fn token(&self, hash: SecretHash) -> Result<Option<Arc<Token>>> {
        Ok(self.recalled(hash).await?.filter(|token| token.in_force(self.clock.now())))
    }

    /// Returns the token that has not been revoked, from memory if it was seen a moment ago.
    async fn recalled(&self, hash: SecretHash) -> Result<Option<Arc<Token>>> {
        // Only a server hears of changes.
        if self.hub.is_none() {
            return Ok(self.store.token_by_hash(&hash).await?.map(Arc::new));
        }
        if let Some(token) = self.token_cache.recall(&hash) {
            return Ok(Some(token));
        }
        let look = self.token_cache.begin_lookup();
        let token = self.store.token_by_hash(&hash).await?.map(Arc::new);
        if let Some(token) = &token {
            self.token_cache.remember(hash, token, look);
        }
        Ok(token)
    }

    /// Returns the caller that a session belongs to. What a person may do is looked up each time: it may have been
    /// taken away.
    pub(super) async fn caller_of_session(&self, person: &str, via: &str) -> Result<Option<Caller>> {
        if let Some(user) = person.strip_prefix(local::SESSION) {
            return Ok(Some(Caller::local(user, via)));
        }
        let known = self.store.person(person).await?;
        Ok(known.map(|known| Caller::of_person(&known.person, via)))
    }
}
