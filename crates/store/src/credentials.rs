//! The part of the port that is about who may come in: tokens, people, sessions and links.
//!
//! Tokens and people change by commands, and sessions begin by one, so that the log says who changed them and who came in.
//! Sessions end, and links are used up, by themselves.

use async_trait::async_trait;
use holdpoint_core::{PasswordHash, Person, SecretHash, Timestamp, Token};

use crate::error::Result;

/// What a store knows of credentials.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// Returns the token in force whose secret has this hash.
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>>;

    /// Lists all tokens, revoked ones too, oldest first.
    async fn tokens(&self) -> Result<Vec<Token>>;

    /// Returns a person, with what their password is checked against.
    async fn person(&self, name: &str) -> Result<Option<KnownPerson>>;

    /// Lists people by name.
    async fn people(&self) -> Result<Vec<Person>>;

    /// Returns a session that is not over.
    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>>;

    /// Lets a session last longer; one that has ended stays so.
    async fn extend_session(&self, hash: &SecretHash, expires_at: Timestamp) -> Result<()>;

    /// Ends a session.
    async fn end_session(&self, hash: &SecretHash) -> Result<()>;

    /// Ends all sessions of a person; returns how many those were.
    async fn end_sessions_of(&self, person: &str) -> Result<usize>;

    /// Uses a link up. Returns true only the first time.
    async fn use_link(&self, link: &LinkUse, now: Timestamp) -> Result<bool>;

    /// Returns whether a link was used up.
    async fn is_link_used(&self, nonce: &str) -> Result<bool>;

    /// Returns whether the store is written only by a server that checks who asks.
    async fn auth_required(&self) -> Result<bool>;
}

/// A person, with what their password is checked against.
#[derive(Clone, Debug)]
pub struct KnownPerson {
    /// The person.
    pub person: Person,
    /// The hash of their password, if they have one.
    pub password: Option<PasswordHash>,
}

/// A signed-in session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The hash of the secret in the cookie.
    pub hash: SecretHash,
    /// Whose it is.
    pub person: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it is over.
    pub expires_at: Timestamp,
}

/// A signed link that is used up by what it is sent along with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkUse {
    /// What tells the link from all others.
    pub nonce: String,
    /// Until when it counts.
    pub expires: Timestamp,
}
