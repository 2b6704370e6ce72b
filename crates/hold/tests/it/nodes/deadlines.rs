//! A deadline passes once, however many nodes look at it.

use serde_json::json;

use crate::nodes::Shared;
use crate::sandbox::at;
use crate::server::{self, question_with};

#[test]
fn a_deadline_passes_once() {
    let shared = Shared::new();
    let nodes: [_; 3] = shared.nodes();
    let mut waiting = Vec::new();
    for round in 0..12 {
        let soon =
            question_with(&json!({"timeout": format!("{}ms", 300 + 20 * round), "default": {"choice": "a"}}));
        let id = nodes[round % 3].nobody().post("/v1/decisions", &soon).is(201).id();
        let node = nodes[(round + 1) % 3].nobody();
        waiting.push(node.connect("GET", &format!("/v1/decisions/{id}/wait?timeout=1m")));
    }
    for one in waiting {
        let settled = server::read(one).is(200).json();
        at(&settled, "/status", "timed_out");
        at(&settled, "/answer/by", "system:timeout");
    }
    let sandbox = shared.sandbox();
    let tags = sandbox.tags();
    let count = |wanted: &str| tags.iter().filter(|tag| *tag == wanted).count();
    assert_eq!((count("decision:created"), count("decision:expired"), tags.len()), (12, 12, 24), "{tags:?}");
    sandbox.is_well();
}

#[test]
fn the_deadlines_of_a_killed_node_pass() {
    let shared = Shared::new();
    let [mut first, second] = shared.nodes();
    let soon = question_with(&json!({"timeout": "700ms"}));
    let id = first.nobody().post("/v1/decisions", &soon).is(201).id();
    let waiting = second.nobody().connect("GET", &format!("/v1/decisions/{id}/wait?timeout=1m"));
    first.kill();
    at(&server::read(waiting).is(200).json(), "/status", "timed_out");
}
