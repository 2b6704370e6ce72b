//! Finds the decisions of this data folder after their server has gone: on another server that was started meanwhile,
//! or in the store, which any process may write to.

use std::io::Write as _;
use std::sync::Arc;

use holdpoint_core::text::inert_line;
use holdpoint_engine::auth::{AgentProfile, local};
use holdpoint_engine::{Client, OpeningClient, Role, ServerLocator};

use super::context::Context;

/// The waiter, which determines how the store is opened.
#[derive(Clone)]
pub(super) enum Waiter {
    /// The person at this machine, through an interface.
    Person(&'static str),
    /// An agent, through an interface, under its own credential.
    Agent(Box<AgentProfile>, &'static str),
}

/// What the environment says about the decisions.
pub(super) struct KnownEnvironment {
    pub(super) context: Context,
    pub(super) waiter: Waiter,
}

impl ServerLocator for KnownEnvironment {
    fn find(&self) -> Option<String> {
        // If a server was named, only that one counts.
        self.context.moved_to()
    }

    fn token(&self, address: &str) -> Option<String> {
        match &self.waiter {
            Waiter::Person(_) => local::token_for(&self.context.home, address).map(|secret| secret.reveal()),
            Waiter::Agent(..) => None,
        }
    }

    fn open(&self) -> OpeningClient<'_> {
        Box::pin(self.opened())
    }

    fn lost(&self, why: &str) {
        // If standard error cannot be written, there is nowhere to report that.
        let _ = writeln!(std::io::stderr(), "warning: {}; holding on until it is back", inert_line(why));
    }
}

impl KnownEnvironment {
    async fn opened(&self) -> Option<Arc<dyn Client>> {
        let Context { home, .. } = &self.context;
        // A server may have kept its decisions elsewhere: a waiter must not create a store.
        if self.context.names_place() || local::find(home).is_some() || !home.store().exists() {
            return None;
        }
        let engine = self.context.engine(Role::Writer).await.ok()?;
        // If only a server may write to the store, answers and waits go through a server.
        if engine.auth_required().await.unwrap_or(true) {
            return None;
        }
        match &self.waiter {
            Waiter::Person(via) => Some(Arc::new(self.context.embedded(engine, via))),
            Waiter::Agent(agent, door) => self.context.agent_here(engine, agent, door).await.ok(),
        }
    }
}
