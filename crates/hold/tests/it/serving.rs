//! A server under way, and ways to wait for what it does by itself.

use std::time::Instant;

use holdpoint_core::Role;
use holdpoint_engine::auth::{NewPerson, NewToken};
use holdpoint_engine::{Admin as _, Channels as _, Http};
use rustix::process::Signal;
use serde_json::Value;

use crate::process::{Ran, Running, Stream, TIMEOUT};
use crate::sandbox::Sandbox;

/// A server of a sandbox; commands there find it by themselves.
pub(crate) struct Serving {
    running: Running,
    pub(crate) url: String,
    token: Option<String>,
}

impl Serving {
    #[track_caller]
    pub(crate) fn start(sandbox: &Sandbox) -> Self {
        Self::start_at(sandbox, "127.0.0.1:0")
    }

    /// Starts it at an address.
    #[track_caller]
    pub(crate) fn start_at(sandbox: &Sandbox, address: &str) -> Self {
        let mut running = sandbox.spawn(&["serve", "--listen", address]);
        let line = running.until(Stream::Err, "Listening on ");
        let url = line.split("Listening on ").nth(1).unwrap().trim().to_owned();
        let token = std::fs::read_to_string(sandbox.home().join("local.token")).ok();
        Self { running, url, token: token.map(|token| token.trim().to_owned()) }
    }

    /// Ends it at once.
    pub(crate) fn kill(self) -> Ran {
        self.running.signal(Signal::KILL);
        self.running.end()
    }

    /// Asks it to end, and returns at once.
    pub(crate) fn tell_to_stop(&self) {
        self.running.signal(Signal::TERM);
    }

    /// Asks it to end, and waits until it has.
    #[track_caller]
    pub(crate) fn stop(self) -> Ran {
        self.tell_to_stop();
        self.ends()
    }

    #[track_caller]
    pub(crate) fn ends(self) -> Ran {
        self.running.end().exits(0)
    }

    /// Makes a person known.
    #[track_caller]
    pub(crate) fn person(&self, name: &str, email: Option<&str>, projects: &[&str]) {
        let client = Http::new(&self.url, self.token.clone()).unwrap();
        let projects = projects.iter().map(ToString::to_string).collect();
        let new = NewPerson {
            name: name.into(),
            role: Role::Person,
            email: email.map(Into::into),
            projects,
            password: None,
        };
        block_on(client.put_person(new)).unwrap();
    }

    /// Makes a code by which a person links an account of a channel.
    #[track_caller]
    pub(crate) fn account_code(&self, name: &str, channel: &str) -> String {
        let client = Http::new(&self.url, self.token.clone()).unwrap();
        block_on(client.account_code(name, channel)).unwrap().code
    }

    /// Makes a token and returns its secret.
    #[track_caller]
    pub(crate) fn token(&self, role: Role, projects: &[&str]) -> String {
        let client = Http::new(&self.url, self.token.clone()).unwrap();
        let projects = projects.iter().map(ToString::to_string).collect();
        // An agent and a person may not bear one name.
        block_on(client.create_token(NewToken {
            name: role.name().into(),
            role,
            projects,
            permissions: vec![],
            lasts: None,
            owner: None,
        }))
        .unwrap()
        .secret
        .reveal()
    }

    /// Waits until it has heard that it is to stop.
    #[track_caller]
    pub(crate) fn takes_no_more(&self) {
        let deadline = Instant::now() + TIMEOUT;
        let address = self.url.strip_prefix("http://").unwrap();
        while std::net::TcpStream::connect(address).is_ok() {
            assert!(Instant::now() < deadline, "still takes connections");
        }
    }
}

/// Runs a client to its answer.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Waits until what is undelivered is as wanted, and returns it.
#[track_caller]
pub(crate) fn outbox_until(sandbox: &Sandbox, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let rows = sandbox.json(&["outbox", "list", "--json"]);
        let rows = rows.as_array().unwrap();
        if wanted(rows) {
            return rows.clone();
        }
        assert!(Instant::now() < deadline, "the outbox stays like this: {rows:?}");
    }
}

/// Waits until every undelivered notice was given up, and returns them.
#[track_caller]
pub(crate) fn outbox_dead(sandbox: &Sandbox) -> Vec<Value> {
    outbox_until(sandbox, |rows| !rows.is_empty() && rows.iter().all(|row| row["state"] == "dead"))
}
