//! Every node signs with a key of its own; together they vouch for the whole log.

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::nodes::Shared;
use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use crate::vouching::until;

/// Waits until a node's health says something.
pub(crate) fn until_shown(node: &Server, words: &str) {
    until(|| node.nobody().get("/readyz").body.contains(words));
}

/// Starts two nodes on one file that trust each other's keys.
fn on_one_file(file: &Sandbox) -> [Server; 2] {
    let address = format!("sqlite:{}", file.path("shared.db").display());
    let sandboxes: [Sandbox; 2] = std::array::from_fn(|_| Sandbox::new().with("HOLD_STORE", &address));
    for one in &sandboxes {
        // A key is made when something is first written.
        one.ok(&["ask", "Who signs?", "--no-wait"]);
        for other in &sandboxes {
            other.ok(&["key", "trust", &public_key(one)]);
        }
    }
    sandboxes.map(|sandbox| Server::on(sandbox, &["--no-auth"]))
}

/// Returns the key that signs in a data folder: the first that is listed.
fn public_key(sandbox: &Sandbox) -> String {
    let keys = sandbox.json(&["key", "list", "--json"]);
    keys[0]["public_key"].as_str().unwrap().to_owned()
}

#[test]
fn the_others_follow_a_key_that_is_rotated() {
    let file = Sandbox::new();
    let mut nodes = on_one_file(&file);
    nodes[0].sandbox.ok(&["key", "rotate"]);
    let new = public_key(&nodes[0].sandbox);
    let id = nodes[0].nobody().ask();
    nodes[0].nobody().answer(&id, "a").is(200);
    nodes[1].nobody().ask();
    for node in &mut nodes {
        node.stop().exits(0);
    }
    let [one, two] = &nodes;
    let known = two.sandbox.json(&["key", "list", "--json"]);
    assert!(known.as_array().unwrap().iter().any(|key| key["public_key"] == new.as_str()), "{known}");
    let report = two.sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    assert_eq!(report["vouched_to"], report["head"], "{report}");
    let receipt = file.path("receipt.json");
    std::fs::write(&receipt, one.sandbox.ok(&["receipt", &id])).unwrap();
    two.sandbox.ok(&["receipt", "verify", receipt.to_str().unwrap()]);
}

#[test]
fn what_is_accepted_on_one_node_counts_on_the_others() {
    let file = Sandbox::new();
    let mut nodes = on_one_file(&file);
    for node in &mut nodes {
        node.stop().exits(0);
    }
    let raw = Connection::open_with_flags(file.path("shared.db"), OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    raw.execute("UPDATE event SET stream = 'decision/0' WHERE seq = 1", []).unwrap();
    nodes.iter_mut().for_each(Server::run);
    for node in &nodes {
        until_shown(node, "unvouched");
    }
    nodes[1].sandbox.ok(&["audit", "accept", "--reason", "a test"]);
    for node in &nodes {
        until(|| node.nobody().get("/readyz").body == "ready\n");
    }
}

#[test]
fn checkpoints_of_several_keys_verify() {
    let shared = Shared::new();
    let mut nodes: [Server; 2] = std::array::from_fn(|_| Server::on(shared.stranger(), &["--no-auth"]));
    for node in &mut nodes {
        node.nobody().ask();
        // A node that stops signs what is there.
        node.stop().exits(0);
    }
    let [first, second] = &nodes;
    // Nobody signs on top of a key that is not known.
    let report = first.sandbox.run(&["audit", "verify", "--json"]).exits(1).json();
    at(&report, "/sound", false);
    at(&report, "/vouched_to", 1);
    assert_eq!(report["untrusted"].as_array().map(Vec::len), Some(1), "{report}");
    // The public half of the other's key, laid beside our own, is trusted as well.
    for entry in std::fs::read_dir(second.sandbox.home().join("keys")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pub") {
            let to = first.sandbox.home().join("keys").join(path.file_name().unwrap());
            std::fs::copy(&path, to).unwrap();
        }
    }
    let report = first.sandbox.json(&["audit", "verify", "--json"]);
    assert_eq!(report["untrusted"], Value::Array(Vec::new()), "{report}");
    at(&report, "/vouched_to", 2);
    first.sandbox.is_well();
}
