//! Which credentials are valid. Tokens that were looked up a moment ago are remembered, and a handler that holds a
//! request open can check again when some credential was changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::{SecretHash, Token};
use tokio::sync::watch;

use super::{Caller, local};
use crate::engine::Engine;
use crate::error::Result;

/// How long a token is believed without a look into the store. What this process or the log says ends it sooner.
/// Revoking one waits as long, so that no node believes it once the revocation has returned.
pub(super) const TOKEN_TTL: Duration = Duration::from_millis(200);
/// How many tokens are remembered.
const MOST: usize = 10_000;

/// What someone came in with, by its hash. It can be looked at again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A token.
    Token(SecretHash),
    /// A session of a browser.
    Session(SecretHash),
}

/// Tokens that stood a moment ago, and how often credentials were changed.
#[derive(Debug)]
pub(crate) struct TokenCache {
    known: Mutex<HashMap<SecretHash, (Instant, Arc<Token>)>>,
    changes: watch::Sender<u64>,
}

/// When a look into the store began, and how often credentials had been changed by then.
#[derive(Clone, Copy)]
struct Look {
    changes: u64,
    begun: Instant,
}

impl Default for TokenCache {
    fn default() -> Self {
        Self { known: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl TokenCache {
    /// Forgets everything, because a credential was changed.
    pub(crate) fn changed(&self) {
        let mut known = self.lock();
        known.clear();
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn recall(&self, hash: &SecretHash) -> Option<Arc<Token>> {
        let known = self.lock();
        let (at, token) = known.get(hash)?;
        (at.elapsed() < TOKEN_TTL).then(|| Arc::clone(token))
    }

    /// Notes when a look into the store begins.
    fn look(&self) -> Look {
        Look { changes: *self.changes.borrow(), begun: Instant::now() }
    }

    /// Remembers what a look found, unless something was changed since it began.
    fn remember(&self, hash: SecretHash, token: &Arc<Token>, look: Look) {
        let mut known = self.lock();
        if *self.changes.borrow() != look.changes {
            return;
        }
        if known.len() >= MOST {
            known.clear();
        }
        // From its beginning: what it found may have ended while the answer was on its way.
        known.insert(hash, (look.begun, Arc::clone(token)));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, (Instant, Arc<Token>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        let look = self.token_cache.look();
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

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::{Role, Timestamp};

    fn token() -> Arc<Token> {
        Arc::new(Token {
            id: "tok-1".into(),
            name: "ana".into(),
            role: Role::Person,
            projects: vec![],
            permissions: vec![],
            created_at: Timestamp::from_millis(0),
            created_by: "root".into(),
            expires_at: None,
            revoked_at: None,
            owner: None,
        })
    }

    #[test]
    fn what_was_looked_up_before_a_change_is_not_believed_after_it() {
        let token_cache = TokenCache::default();
        let hash = SecretHash([7; 32]);
        let before = token_cache.look();
        token_cache.remember(hash, &token(), before);
        assert!(token_cache.recall(&hash).is_some());
        token_cache.changed();
        assert!(token_cache.recall(&hash).is_none());
        // A look that began before the change and ends after it.
        token_cache.remember(hash, &token(), before);
        assert!(token_cache.recall(&hash).is_none());
    }

    #[test]
    fn a_slow_look_makes_nothing_be_believed_for_longer() {
        let token_cache = TokenCache::default();
        let hash = SecretHash([7; 32]);
        let begun = Instant::now().checked_sub(TOKEN_TTL).unwrap();
        token_cache.remember(hash, &token(), Look { begun, ..token_cache.look() });
        assert!(token_cache.recall(&hash).is_none());
    }
}
