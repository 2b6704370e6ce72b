//! Nodes that start at once on an empty database, and databases that cannot be used.

use crate::nodes::Shared;
use crate::process::Stream;

#[test]
fn five_nodes_start_at_once_on_an_empty_database() {
    let Some(shared) = Shared::new() else { return };
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
