//! Every node signs with a key of its own; together they vouch for the whole log.

use serde_json::Value;

use crate::nodes::Shared;
use crate::sandbox::at;
use crate::server::Server;

#[test]
fn checkpoints_of_several_keys_verify() {
    let Some(shared) = Shared::new() else { return };
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
