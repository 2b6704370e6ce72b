//! Several nodes: a job is supervised by the one that hosts its agents, and taken over when that is gone.

use std::time::Instant;

use serde_json::{Value, json};

use super::agent;
use crate::nodes::Shared;
use crate::process::TIMEOUT;
use crate::sandbox::HOLD;
use crate::serving::Serving;
use crate::terminal::{Colour, Terminal};

#[test]
fn a_job_is_taken_over_when_its_node_is_gone() {
    let shared = Shared::new();
    let (one, two) = (shared.sandbox(), shared.sandbox());
    let (first, second) = (Serving::start(&one), Serving::start(&two));
    let book = json!({
        "job": {"build": {"steps": [{"name": "work", "run": {"agent": "w"}}, {"name": "after", "run": "true"}]}},
        "agent": {"w": agent(&["line Ready", "idle"], json!({}))},
    });
    let file = one.file("book.json", book.to_string());
    let with_url = |arguments: &[&str]| {
        let mut command = one.command(arguments);
        command.env("HOLD_URL", &first.url).env_remove("HOLD_STORE");
        let token = std::fs::read_to_string(one.home().join("local.token")).unwrap();
        command.env("HOLD_TOKEN", token.trim());
        crate::process::finish(&mut command, b"").exits(0).out.trim().to_owned()
    };
    let id = with_url(&["job", "start", &file]);
    let until = |what: &str, wanted: &dyn Fn(&Value) -> bool| {
        let deadline = Instant::now() + TIMEOUT * 2;
        loop {
            let job = two.json(&["job", "show", &id, "--json"]);
            if wanted(&job) {
                return job;
            }
            assert!(Instant::now() < deadline, "{what} does not come: {job:#}");
        }
    };
    let waits = until("a decision", &|job| job["status"] == "waiting");
    let host = waits["node"].as_str().unwrap().to_owned();
    let nodes = [&one, &two].map(|sandbox| std::fs::read_to_string(sandbox.home().join("node")).unwrap());
    let at = nodes.iter().position(|node| node.trim() == host).unwrap();
    // A client of another node is told where to go.
    let mut terminal =
        Terminal::sized([&two, &one][at], HOLD, &["job", "attach", &id], Colour::No, (24, 200));
    terminal.shows("hosts it");
    assert!(terminal.text().contains(&host), "{}", terminal.text());
    assert_eq!(terminal.end(), 1);
    let mut servers = [Some(first), Some(second)];
    servers[at].take().unwrap().kill();
    // The remaining node takes it up once the lease is over, and finds what a person decided meanwhile.
    let taken = until("a take-over", &|job| job["node"] != host.as_str() && job["node"] != Value::Null);
    assert_eq!(taken["status"], "waiting");
    let decision = taken["waiting_for"].as_str().unwrap().to_owned();
    two.ok(&["answer", &decision, "done"]);
    until("the end", &|job| job["status"] == "done");
    // The node that was gone finds that its agent is nobody's any more, and ends it.
    let home = [&one, &two][at].home();
    let agent_id = waits["agent_id"].as_str().unwrap();
    let back = Serving::start([&one, &two][at]);
    let exit = home.join("sessions").join(agent_id).join("exit.json");
    let deadline = Instant::now() + TIMEOUT;
    while !exit.exists() {
        assert!(Instant::now() < deadline, "the agent of the lost node still runs");
    }
    back.stop();
}
