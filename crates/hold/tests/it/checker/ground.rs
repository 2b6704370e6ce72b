//! Where nodes keep what they share: a database of its own, or one file.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use super::wire::{Request, after};
use crate::cluster::{Cluster, fresh_schema};
use crate::process::TIMEOUT;
use crate::sandbox::Sandbox;

/// A store that nodes share.
pub(super) struct Ground {
    address: String,
    /// None where it is a file.
    cluster: Option<Cluster>,
    /// Looks at the store from outside.
    outside: Sandbox,
}

impl Ground {
    /// Starts a database that may be restarted.
    pub(super) fn postgres() -> Self {
        let cluster = Cluster::own();
        let address = cluster.address(&fresh_schema());
        let outside = Sandbox::new().with("HOLD_STORE", &address);
        Self { address, cluster: Some(cluster), outside }
    }

    /// Makes room for a file.
    pub(super) fn file() -> Self {
        let outside = Sandbox::new();
        let address = format!("sqlite:{}", outside.path("shared.db").display());
        Self { outside: outside.with("HOLD_STORE", &address), address, cluster: None }
    }

    /// Returns a data folder for each node, each with a key of its own that the others trust.
    pub(super) fn sandboxes(&self, count: usize) -> Vec<Sandbox> {
        let sandbox = || {
            let sandbox = Sandbox::new().with("HOLD_STORE", &self.address);
            sandbox.settings("[hooks]\ndesktop = false\n");
            sandbox
        };
        let sandboxes: Vec<Sandbox> = std::iter::repeat_with(sandbox).take(count).collect();
        for one in &sandboxes {
            // A key is made when something is first written.
            one.ok(&["ask", "Who signs?", "--no-wait"]);
            let keys = one.json(&["key", "list", "--json"]);
            let own = keys.as_array().unwrap().iter().find(|key| key["signs"] == true).unwrap();
            for other in &sandboxes {
                other.ok(&["key", "trust", own["public_key"].as_str().unwrap()]);
            }
        }
        sandboxes
    }

    /// Stops the database as a crash would, and starts it again.
    pub(super) fn restart(&self) {
        if let Some(cluster) = &self.cluster {
            cluster.crash();
            cluster.start_server();
        }
    }

    /// Cuts this many connections; returns how many those were. It is fine if the database is away.
    pub(super) fn cut(&self, most: u64) -> usize {
        let Some(cluster) = &self.cluster else { return 0 };
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity \
             WHERE application_name = 'holdpoint' ORDER BY random() LIMIT {most}) AS victim"
        );
        let mut psql = Command::new(cluster.bin.join("psql"));
        psql.args(["-X", "-q", "-t", "-A", "-U", "hold", "-d", "postgres", "-c", &sql, "-h"]);
        let done = psql.arg(&cluster.folder).output().unwrap();
        String::from_utf8_lossy(&done.stdout).lines().filter(|line| *line == "t").count()
    }

    pub(super) fn log(&self) -> Vec<Value> {
        self.outside.log()
    }

    /// Says what the chain, the replay and the projections have against each other.
    pub(super) fn unsound(&self) -> Vec<String> {
        let commands: [&[&str]; 2] = [&["audit", "verify"], &["doctor"]];
        let runs = commands.map(|command| (command, self.outside.run(command)));
        let bad = runs.into_iter().filter(|(_, ran)| ran.code != 0);
        bad.map(|(command, ran)| format!("hold {}: {ran}", command.join(" "))).collect()
    }
}

/// Returns every decision as it stands, as a node tells it page by page.
pub(super) fn decisions(node: &str) -> BTreeMap<String, Value> {
    list(node, "all").into_iter().map(|decision| (id(&decision), decision)).collect()
}

/// Returns what is pending, as a node tells it.
pub(super) fn pending(node: &str) -> Vec<String> {
    list(node, "pending").iter().map(id).collect()
}

fn list(node: &str, status: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/v1/decisions?status={status}&limit=1000{cursor}");
        let request = Request { method: "GET", path: &path, key: None, body: None };
        let page = request.send(node, after(TIMEOUT)).unwrap().is(200).json();
        all.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

fn id(decision: &Value) -> String {
    decision["id"].as_str().unwrap().to_owned()
}
