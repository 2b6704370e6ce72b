//! Who has access is the same on every node.

use serde_json::{Value, json};

use crate::browser::Served;
use crate::nodes::Shared;
use crate::server::Server;

#[test]
fn a_token_that_is_revoked_on_one_node_is_refused_on_all() {
    let shared = Shared::new();
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

#[test]
fn whoever_signed_in_on_one_node_is_signed_in_on_all() {
    let shared = Shared::new();
    let sandboxes = [shared.sandbox(), shared.sandbox()];
    let [here, there] = sandboxes.each_ref().map(|sandbox| Served::start(sandbox, &[]));
    here.person("ana", "person");
    let mut ana = here.browser();
    ana.sign_in("ana");
    let mut elsewhere = ana.moved(&there);
    let csrf = elsewhere.get("/").is(200).csrf();
    // What a form carries on one node counts on the other, and who signs out there is out here.
    elsewhere.send("/sign-out", &[("csrf", &csrf)]).is(303);
    ana.get("/").is(303);
}

#[test]
fn a_link_of_one_node_is_good_on_another_with_the_same_key_and_only_once() {
    let shared = Shared::new();
    let sandboxes = [shared.sandbox(), shared.sandbox(), shared.sandbox()];
    let here = Served::start(&sandboxes[0], &[]);
    let keys = sandboxes[1].home().join("keys");
    std::fs::create_dir_all(&keys).unwrap();
    std::fs::copy(sandboxes[0].home().join("keys/link.key"), keys.join("link.key")).unwrap();
    let (there, stranger) = (Served::start(&sandboxes[1], &[]), Served::start(&sandboxes[2], &[]));
    here.person("ben", "person");
    let url = here.api("POST", "/v1/people/ben/link", &Value::Null)["url"].as_str().unwrap().to_owned();
    let path = url.split(&here.host).nth(1).unwrap();
    stranger.browser().send(path, &[]).is(404);
    let mut ben = there.browser();
    ben.send(path, &[]).is(303);
    ben.get("/").is(200).shows("ben");
    here.browser().send(path, &[]).is(410).shows("used before");
}
