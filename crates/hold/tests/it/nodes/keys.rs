//! Every node signs with a key of its own; together they vouch for the whole log.

use serde_json::Value;

use crate::nodes::Shared;
use crate::sandbox::at;

#[test]
fn checkpoints_of_several_keys_verify() {
    let Some(shared) = Shared::new() else { return };
    let mut nodes: [_; 2] = shared.nodes();
    for node in &mut nodes {
        node.nobody().ask();
        // Whoever stops signs what is there.
        node.stop().exits(0);
    }
    let [first, second] = &nodes;
    let report = first.sandbox.json(&["audit", "verify", "--json"]);
    at(&report, "/sound", true);
    at(&report, "/checkpoints", 2);
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
