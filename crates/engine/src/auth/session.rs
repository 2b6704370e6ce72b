//! Sessions: a person signs in once and stays signed in for two weeks after their last visit.

use std::fmt;

use hmac::Mac as _;
use holdpoint_core::{Actor, Command, Refusal, Span, Timestamp};
use holdpoint_store::Submission;

use super::Caller;
use super::credential::Credential;
use super::csrf::CsrfToken;
use super::link::Links;
use super::link_error::LinkError;
use super::mac::mac;
use super::password::{self, Password};
use super::secret::Secret;
use crate::engine::Engine;
use crate::error::Result;

/// How long a session lasts without a visit.
const LASTS: Span = Span::from_secs(14 * DAY);
/// A visit is recorded at most this often.
const NOTED: Span = Span::from_secs(DAY);
const DAY: i64 = 24 * 60 * 60;

/// What a browser gets after signing in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// The content of the cookie; shown to the browser alone.
    pub cookie: Secret,
    /// Who signed in.
    pub name: String,
    /// When the session ends, unless they visit before.
    pub expires_at: Timestamp,
}

/// A session that a browser presented.
#[derive(Clone)]
pub struct PresentedSession {
    /// Whose it is.
    pub caller: Caller,
    /// What every form of this session must carry.
    pub csrf: CsrfToken,
    /// The session itself, so that it can be checked again.
    pub credential: Credential,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether it was just extended, so that the cookie should be too.
    pub extended: bool,
}

impl fmt::Debug for PresentedSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presented").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl Engine {
    /// Signs a person in by password; none if the name or the password is wrong.
    pub async fn sign_in(&self, name: &str, password: Password) -> Result<Option<SignedIn>> {
        let known = self.store.person(name).await?;
        let right = password::verify(password, known.and_then(|known| known.password)).await?;
        if right { self.begin(name).await } else { Ok(None) }
    }

    /// Signs a person in by a one-time link, which is used up.
    pub async fn sign_in_by_link(&self, links: &Links, text: &str) -> Result<SignedIn> {
        let now = self.now().await?;
        let link = links.read_sign_in(text, now)?;
        // The local user is not a person in the store; a later person of the same name is not the one the link was sent
        // to.
        let known = self.store.person(&link.addressee).await?;
        if known.is_some_and(|known| known.person.created_at > link.issued) {
            return Err(LinkError::Unknown.into());
        }
        if !self.store.use_link(&link.as_use(), now).await? {
            return Err(LinkError::Used.into());
        }
        Ok(self.begin(&link.addressee).await?.ok_or(LinkError::Unknown)?)
    }

    /// Returns the caller of a session cookie; none if the session has expired, was ended, or never existed.
    pub async fn session(&self, cookie: &str, via: &str) -> Result<Option<PresentedSession>> {
        let Some(secret) = Secret::read(cookie) else { return Ok(None) };
        let now = self.now().await?;
        let Some(session) = self.store.session(&secret.hash(), now).await? else { return Ok(None) };
        let Some(caller) = self.caller_of_session(&session.person, via).await? else { return Ok(None) };
        let fresh = now.checked_add(LASTS).unwrap_or(session.expires_at);
        let extended = fresh.since(session.expires_at) >= NOTED;
        if extended {
            self.store.extend_session(&session.hash, fresh).await?;
        }
        let expires_at = if extended { fresh } else { session.expires_at };
        let credential = Credential::Session(session.hash);
        Ok(Some(PresentedSession { caller, csrf: csrf(&secret)?, credential, expires_at, extended }))
    }

    /// Ends a session.
    pub async fn sign_out(&self, cookie: &str) -> Result<()> {
        if let Some(secret) = Secret::read(cookie) {
            self.store.end_session(&secret.hash()).await?;
            self.token_cache.changed();
        }
        Ok(())
    }

    /// Ends all sessions of a person; returns how many there were.
    pub async fn sign_out_everywhere(&self, name: &str) -> Result<usize> {
        let ended = self.store.end_sessions_of(name).await?;
        self.token_cache.changed();
        Ok(ended)
    }

    async fn begin(&self, name: &str) -> Result<Option<SignedIn>> {
        let cookie = Secret::random()?;
        let now = self.now().await?;
        let expires_at = now.checked_add(LASTS).unwrap_or(now);
        let command = Command::SignIn { person: name.to_owned(), session: cookie.hash(), expires_at };
        let submission = Submission::new(command, Actor::sign_in(), self.clock.now());
        match self.store.submit(submission).await {
            Ok(_) => {
                self.sign_credentials().await;
                Ok(Some(SignedIn { cookie, name: name.to_owned(), expires_at }))
            }
            // The person was removed meanwhile.
            Err(holdpoint_store::Error::Refused(Refusal::NotFound { .. })) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the token for forms: only the holder of the cookie can compute it, and it does not reveal the cookie.
fn csrf(cookie: &Secret) -> Result<CsrfToken> {
    CsrfToken::new(mac(cookie.bytes(), "holdpoint csrf v1\n", b"").finalize().into_bytes().into())
}
