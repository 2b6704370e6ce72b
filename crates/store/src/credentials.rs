//! The part of the port about access: tokens, people, sessions and links.
//!
//! Tokens and people change by commands, and sessions begin by one, so that the log records who changed them and who
//! signed in. Sessions end, and links are used up, without a command.

use async_trait::async_trait;
use holdpoint_core::{PasswordHash, Person, SecretHash, Timestamp, Token};

use crate::error::Result;

/// What a store knows about credentials.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// Returns the token in force whose secret has this hash.
    async fn token_by_hash(&self, hash: &SecretHash) -> Result<Option<Token>>;

    /// Lists all tokens, revoked ones too, oldest first.
    async fn tokens(&self) -> Result<Vec<Token>>;

    /// Returns a person, with the hash of their password.
    async fn person(&self, name: &str) -> Result<Option<KnownPerson>>;

    /// Lists people by name.
    async fn people(&self) -> Result<Vec<Person>>;

    /// Returns a session that has not ended.
    async fn session(&self, hash: &SecretHash, now: Timestamp) -> Result<Option<Session>>;

    /// Extends a session; one that has ended stays so.
    async fn extend_session(&self, hash: &SecretHash, expires_at: Timestamp) -> Result<()>;

    /// Ends a session.
    async fn end_session(&self, hash: &SecretHash) -> Result<()>;

    /// Ends all sessions of a person; returns how many there were.
    async fn end_sessions_of(&self, person: &str) -> Result<usize>;

    /// Uses up a link. Returns true only the first time.
    async fn use_link(&self, link: &LinkUse, now: Timestamp) -> Result<bool>;

    /// Returns whether a link was used up.
    async fn is_link_used(&self, nonce: &str) -> Result<bool>;

    /// Returns whether only a server that authenticates callers may write to the store.
    async fn auth_required(&self) -> Result<bool>;
}

/// A person, with the hash of their password.
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
    /// The person who is signed in.
    pub person: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// A signed link that is used up by the command it is sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkUse {
    /// The unique id of the link.
    pub nonce: String,
    /// When it expires.
    pub expires: Timestamp,
}
