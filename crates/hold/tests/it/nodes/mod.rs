//! Several real servers on one PostgreSQL, each with a data folder of its own.

mod balancer;
mod credentials;
mod deadlines;
pub(crate) mod keys;
mod listening;
mod outbox;
mod starting;
mod waking;

use crate::cluster::{Cluster, cluster, fresh_schema};
use crate::sandbox::Sandbox;
use crate::server::Server;

/// A store that is shared.
pub(crate) struct Shared {
    pub(crate) address: String,
}

impl Shared {
    /// Makes room for a store of its own.
    pub(crate) fn new() -> Self {
        Self::on(cluster())
    }

    pub(crate) fn on(cluster: &Cluster) -> Self {
        Self { address: cluster.address(&fresh_schema()) }
    }

    /// Returns a data folder whose commands work on the store; all of them sign with the same key.
    pub(crate) fn sandbox(&self) -> Sandbox {
        let sandbox = self.stranger();
        std::fs::create_dir_all(sandbox.home().join("keys")).unwrap();
        std::fs::write(sandbox.home().join("keys/signing.key"), "07".repeat(32)).unwrap();
        sandbox
    }

    /// Returns a data folder that signs with a key of its own.
    pub(crate) fn stranger(&self) -> Sandbox {
        Sandbox::new().with("HOLD_STORE", &self.address)
    }

    /// Starts nodes that ask nobody.
    pub(crate) fn nodes<const N: usize>(&self) -> [Server; N] {
        std::array::from_fn(|_| Server::on(self.sandbox(), &["--no-auth"]))
    }

    /// Starts nodes with settings that ask nobody.
    pub(crate) fn nodes_with<const N: usize>(&self, settings: impl Fn(usize) -> String) -> [Server; N] {
        std::array::from_fn(|at| {
            let sandbox = self.sandbox().with("HOOK_SECRET", "not-to-be-seen-anywhere-0123456789");
            sandbox.settings(&settings(at));
            Server::on(sandbox, &["--no-auth"])
        })
    }
}
