//! Who may come in is the same on every node, at once: nothing of it is remembered in memory.

use serde_json::json;

use crate::nodes::Shared;
use crate::server::Server;

#[test]
fn a_token_that_is_revoked_on_one_node_is_refused_on_all() {
    let Some(shared) = Shared::new() else { return };
    let (here, there) = (Server::on(shared.sandbox(), &[]), Server::on(shared.sandbox(), &[]));
    let made = here.local().post("/v1/tokens", &json!({"name": "ci", "role": "agent"})).is(201).json();
    let (token, secret) = (made["id"].as_str().unwrap(), made["secret"].as_str().unwrap());
    let agent = there.nobody().bearing(secret);
    agent.get("/v1/decisions").is(200);
    here.local().send("DELETE", &format!("/v1/tokens/{token}"), None).is(200);
    agent.get("/v1/decisions").refuses(401, "unauthorized");
    // A node's own token is for those who sit at its machine.
    let local = std::fs::read_to_string(here.sandbox.home().join("local.token")).unwrap();
    there.nobody().bearing(&local).get("/v1/decisions").refuses(401, "unauthorized");
}
