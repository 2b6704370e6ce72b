//! Tokens that were looked up a moment ago, and a signal that some credential was changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_core::{SecretHash, Token};
use tokio::sync::watch;

/// How long a token is believed without a look into the store. What this process or the log says ends it sooner.
/// Revoking one waits as long, so that no node believes it once the revocation has returned.
pub(super) const TOKEN_TTL: Duration = Duration::from_millis(200);
/// How many tokens are remembered.
const MOST: usize = 10_000;

/// Tokens that stood a moment ago, and how often credentials were changed.
#[derive(Debug)]
pub(crate) struct TokenCache {
    known: Mutex<HashMap<SecretHash, (Instant, Arc<Token>)>>,
    pub(super) changes: watch::Sender<u64>,
}

/// The start of a lookup in the store, and how often credentials had changed by then.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
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

    pub(super) fn recall(&self, hash: &SecretHash) -> Option<Arc<Token>> {
        let known = self.lock();
        let (at, token) = known.get(hash)?;
        (at.elapsed() < TOKEN_TTL).then(|| Arc::clone(token))
    }

    /// Notes when a look into the store begins.
    pub(super) fn begin_lookup(&self) -> Lookup {
        Lookup { changes: *self.changes.borrow(), begun: Instant::now() }
    }

    /// Remembers what a look found, unless something was changed since it began.
    pub(super) fn remember(&self, hash: SecretHash, token: &Arc<Token>, look: Lookup) {
        let mut known = self.lock();
        if *self.changes.borrow() != look.changes {
            return;
        }
        if known.len() >= MOST {
            known.clear();
        }
        // The time of the start counts: the token may have been revoked while the answer was on its way.
        known.insert(hash, (look.begun, Arc::clone(token)));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, (Instant, Arc<Token>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
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
        let before = token_cache.begin_lookup();
        token_cache.remember(hash, &token(), before);
        assert!(token_cache.recall(&hash).is_some());
        token_cache.changed();
        assert!(token_cache.recall(&hash).is_none());
        // A lookup that began before the change and ends after it.
        token_cache.remember(hash, &token(), before);
        assert!(token_cache.recall(&hash).is_none());
    }

    #[test]
    fn a_slow_look_makes_nothing_be_believed_for_longer() {
        let token_cache = TokenCache::default();
        let hash = SecretHash([7; 32]);
        let begun = Instant::now().checked_sub(TOKEN_TTL).unwrap();
        token_cache.remember(hash, &token(), Lookup { begun, ..token_cache.begin_lookup() });
        assert!(token_cache.recall(&hash).is_none());
    }
}
