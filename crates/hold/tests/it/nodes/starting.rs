//! Nodes that start at once on an empty database, and databases that cannot be used.

use crate::nodes::Shared;
use crate::process::Stream;
use crate::sandbox::Sandbox;

#[test]
fn five_nodes_start_at_once_on_an_empty_database() {
    let shared = Shared::new();
    let sandboxes: [_; 5] = std::array::from_fn(|_| shared.sandbox());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--no-auth"];
    let mut starting: Vec<_> = sandboxes.iter().map(|sandbox| sandbox.spawn(&serve)).collect();
    for node in &mut starting {
        node.until(Stream::Err, "Listening on ");
    }
    let id = sandboxes[0].ask_a_or_b();
    sandboxes[4].ok(&["answer", &id, "a"]);
    sandboxes[2].is_well();
}

#[test]
fn a_database_that_cannot_be_used_is_told_with_a_hint() {
    let shared = Shared::new();
    let nowhere = "postgres://hold:s3cret@127.0.0.1:1/hold";
    let missing = shared.address.replace("postgres:///postgres", "postgres:///nowhere");
    let cases = [
        (nowhere.to_owned(), ["the database is out of reach", "HOLD_STORE names the right host and port"]),
        ("postgres://hold:s3cret@db.invalid/hold".into(), ["out of reach", "check that it runs"]),
        (missing, ["database \"nowhere\" does not exist", "createdb"]),
        (format!("{}&sslmode=often", shared.address), ["HOLD_STORE is refused", "verify-full"]),
    ];
    for (address, words) in cases {
        let sandbox = Sandbox::new().with("HOLD_STORE", &address);
        for command in [&["list"][..], &["serve", "--listen", "127.0.0.1:0"], &["doctor"]] {
            let ran = sandbox.run(command).exits(1);
            let said = words.iter().all(|word| ran.err.contains(word));
            assert!(said && !format!("{ran}").contains("s3cret"), "{words:?} {ran}");
        }
    }
}
