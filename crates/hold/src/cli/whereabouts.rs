//! Where the decisions of this data folder are once the server that had them is gone: at another that was started meanwhile, or
//! in the store, which anybody may answer in.

use std::io::Write as _;
use std::sync::Arc;

use holdpoint_core::text::inert_line;
use holdpoint_engine::auth::{Agent, local};
use holdpoint_engine::{Client, Opening, Role, Whereabouts};

use super::context::Context;

/// Who holds, and so who opens the store.
#[derive(Clone)]
pub(super) enum Waiter {
    /// The person at this machine, through a door.
    Person(&'static str),
    /// An agent, through a door, under a credential of its own.
    Agent(Box<Agent>, &'static str),
}

/// What is known of it from the environment.
pub(super) struct Known {
    pub(super) context: Context,
    pub(super) waiter: Waiter,
}

impl Whereabouts for Known {
    fn find(&self) -> Option<String> {
        // Who names a server means that one.
        self.context.moved_to()
    }

    fn token(&self, address: &str) -> Option<String> {
        match &self.waiter {
            Waiter::Person(_) => local::token_for(&self.context.home, address).map(|secret| secret.reveal()),
            Waiter::Agent(..) => None,
        }
    }

    fn open(&self) -> Opening<'_> {
        Box::pin(self.opened())
    }

    fn lost(&self, why: &str) {
        // There is nobody to tell that this cannot be written.
        let _ = writeln!(std::io::stderr(), "warning: {}; holding on until it is back", inert_line(why));
    }
}

impl Known {
    async fn opened(&self) -> Option<Arc<dyn Client>> {
        let Context { home, .. } = &self.context;
        // A server may have kept its decisions elsewhere: no store is made for who only waits.
        if self.context.names_place() || local::find(home).is_some() || !home.store().exists() {
            return None;
        }
        let engine = self.context.engine(Role::Writer).await.ok()?;
        // What only a server may write is answered there, and waited for there.
        if engine.auth_required().await.unwrap_or(true) {
            return None;
        }
        match &self.waiter {
            Waiter::Person(via) => Some(Arc::new(self.context.embedded(engine, via))),
            Waiter::Agent(agent, door) => self.context.agent_here(engine, agent, door).await.ok(),
        }
    }
}
