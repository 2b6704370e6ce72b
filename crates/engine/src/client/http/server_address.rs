//! The address of the server that a client talks to, and how to find it again.

use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use crate::client::Client;

/// The store of decisions, while it is being opened.
pub type OpeningClient<'a> = Pin<Box<dyn Future<Output = Option<Arc<dyn Client>>> + Send + 'a>>;

/// Finds where the decisions of a data folder are now: a server may come back at another address, or not at all.
pub trait ServerLocator: Send + Sync {
    /// Returns the address of the current server, unless a client is to stay with the one it was given.
    fn find(&self) -> Option<String>;

    /// Returns the token for a server, if the client was given none: a server on this machine may have started since.
    fn token(&self, address: &str) -> Option<String>;

    /// Opens the decisions without a server, if no server has them any more.
    fn open(&self) -> OpeningClient<'_>;

    /// Called when a waiter has lost its server, with the reason why it keeps trying.
    fn lost(&self, why: &str);
}

/// The address of a server, which all clones of a client share.
#[derive(Clone)]
pub(super) struct ServerAddress {
    base: Arc<RwLock<String>>,
    whereabouts: Option<Arc<dyn ServerLocator>>,
}

impl ServerAddress {
    pub(super) fn new(base: String) -> Self {
        Self { base: Arc::new(RwLock::new(base)), whereabouts: None }
    }

    pub(super) fn known_to(self, whereabouts: Arc<dyn ServerLocator>) -> Self {
        Self { whereabouts: Some(whereabouts), ..self }
    }

    pub(super) fn base(&self) -> String {
        self.base.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Switches to the current address of the server; returns whether it has changed.
    pub(super) fn follow(&self) -> bool {
        let found = self.whereabouts.as_ref().and_then(|whereabouts| whereabouts.find());
        let Some(found) = found.filter(|found| *found != self.base()) else { return false };
        *self.base.write().unwrap_or_else(PoisonError::into_inner) = found;
        true
    }

    pub(super) fn token(&self) -> Option<String> {
        self.whereabouts.as_ref()?.token(&self.base())
    }

    pub(super) fn lost(&self, why: &str) {
        if let Some(whereabouts) = &self.whereabouts {
            whereabouts.lost(why);
        }
    }

    pub(super) async fn without_server(&self) -> Option<Arc<dyn Client>> {
        self.whereabouts.as_ref()?.open().await
    }
}
