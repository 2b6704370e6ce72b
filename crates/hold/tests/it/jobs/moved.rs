//! A server that comes back elsewhere while an agent in a job holds.

use std::time::Instant;

use serde_json::json;

use super::JobServer;
use crate::process::TIMEOUT;
use crate::sandbox::HOLD;

#[test]
fn an_agent_that_holds_follows_its_server_to_another_port() {
    let mut house = JobServer::new();
    let (said, later) = (house.path("said"), house.path("later"));
    // What holds follows it, and so does what is started after the move.
    let run = format!(
        "{HOLD} ask 'Which port?' -o a:One -o b:Two > {0}.part; mv {0}.part {0}; \
         {HOLD} ask 'And then?' -o a:One --no-wait > {1}.part; mv {1}.part {1}; read wait",
        said.display(),
        later.display()
    );
    house.start(&json!({ "run": run, "idle_after": "10m" }));
    let deadline = Instant::now() + TIMEOUT;
    let asked = || {
        let all = house.sandbox.json(&["list", "--json"]);
        let id = all.as_array().unwrap().iter().find(|one| one["prompt"] == "Which port?");
        id.map(|one| one["id"].as_str().unwrap().to_owned())
    };
    let id = loop {
        match asked() {
            Some(id) => break id,
            None => assert!(Instant::now() < deadline, "the agent does not ask"),
        }
    };
    let before = house.server.as_ref().unwrap().url.clone();
    house.restart();
    assert_ne!(before, house.server.as_ref().unwrap().url);
    house.sandbox.ok(&["answer", &id, "a"]);
    let deadline = Instant::now() + TIMEOUT;
    while !later.exists() {
        assert!(Instant::now() < deadline, "the agent hears nothing: {:?}", std::fs::read_to_string(&said));
    }
    assert_eq!(std::fs::read_to_string(said).unwrap().trim(), "a");
    let second = std::fs::read_to_string(later).unwrap();
    assert_eq!(house.sandbox.show(second.trim())["prompt"], "And then?");
}
