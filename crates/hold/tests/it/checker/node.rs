//! A server that is killed and started again, always at the same address.

use std::sync::Mutex;
use std::time::Duration;

use rustix::process::Signal;

use crate::process::{Running, Stream};
use crate::sandbox::Sandbox;

/// A node.
pub(super) struct Node {
    sandbox: Sandbox,
    address: String,
    running: Mutex<Option<Running>>,
}

impl Node {
    /// Starts a node, on a port of its own.
    pub(super) fn start(sandbox: Sandbox) -> Self {
        let (running, address) = serve(&sandbox, "127.0.0.1:0").unwrap();
        Self { sandbox, address, running: Mutex::new(Some(running)) }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Ends it as a power cut would, and starts it again; as long as the database is away, that is retried.
    pub(super) fn restart(&self) {
        let mut running = self.running.lock().unwrap();
        if let Some(running) = running.take() {
            running.signal(Signal::KILL);
            running.end();
        }
        for _ in 0..400 {
            if let Some((started, _)) = serve(&self.sandbox, &self.address) {
                *running = Some(started);
                return;
            }
            std::thread::park_timeout(Duration::from_millis(50));
        }
        panic!("the node at {} does not start again", self.address);
    }
}

fn serve(sandbox: &Sandbox, address: &str) -> Option<(Running, String)> {
    let mut running = sandbox.spawn(&["serve", "--no-auth", "--listen", address]);
    let line = running.comes(Stream::Err, "Listening on http://")?;
    Some((running, line.split("http://").nth(1)?.to_owned()))
}
