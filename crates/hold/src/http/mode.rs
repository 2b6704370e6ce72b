//! Whether callers must authenticate, and against what.

use holdpoint_core::SecretHash;
use holdpoint_engine::auth::{self, Links};

/// Whether callers must authenticate.
#[derive(Debug)]
pub(crate) enum Mode {
    /// Nobody checks: names are claimed. Only on loopback.
    NoAuth(Box<LocalAccess>),
    /// Everybody is asked.
    Auth(Box<Authentication>),
}

/// What callers are checked against, besides the store.
#[derive(Debug)]
pub(crate) struct Authentication {
    /// Reads and makes signed links.
    pub(crate) links: Links,
    /// The local token, and under which name it acts.
    pub(crate) local: LocalAccess,
}

/// How commands on the server's machine authenticate.
#[derive(Debug)]
pub(crate) struct LocalAccess {
    /// The local token.
    pub(crate) published: auth::local::PublishedServer,
    /// The name that the local token acts under.
    pub(crate) user: String,
}

impl Mode {
    /// Returns the signer of sign-in links; none where authentication is off.
    pub(crate) fn links(&self) -> Option<&Links> {
        match self {
            Self::Auth(auth) => Some(&auth.links),
            Self::NoAuth(_) => None,
        }
    }
}

impl LocalAccess {
    /// Returns who it is if a secret is the local token.
    pub(crate) fn authenticate(&self, secret: &SecretHash) -> Option<auth::Caller> {
        self.published.authenticate(secret, &self.user, "http")
    }
}
