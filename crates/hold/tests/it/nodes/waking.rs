//! A waiter on one node hears of what happens on another, and waits on elsewhere when its node is gone.

use std::io::{BufRead as _, BufReader};
use std::time::{Duration, Instant};

use crate::nodes::Shared;
use crate::nodes::balancer::Balancer;
use crate::process::Running;
use crate::sandbox::{Sandbox, at};
use crate::server::{self, Server};

/// The log is looked at every two seconds besides; what is quicker than this was told.
const TOLD: Duration = Duration::from_secs(1);

#[test]
fn asked_here_waited_for_there_answered_elsewhere() {
    let shared = Shared::new();
    let [here, there, elsewhere] = shared.nodes();
    let mut quickest = Duration::MAX;
    for _ in 0..5 {
        let id = here.nobody().ask();
        let waiting = there.nobody().connect("GET", &format!("/v1/decisions/{id}/wait?timeout=1m"));
        there.parked(1);
        let start = Instant::now();
        elsewhere.nobody().answer(&id, "b").is(200);
        let woken = server::read(waiting).is(200);
        quickest = quickest.min(start.elapsed());
        at(&woken.json(), "/status", "answered");
        at(&woken.json(), "/answer/values/choice", "b");
        for node in [&here, &there, &elsewhere] {
            at(&node.nobody().decision(&id).json(), "/answer/values/choice", "b");
        }
    }
    assert!(quickest < TOLD, "{quickest:?}");
}

#[test]
fn whoever_follows_one_node_hears_of_all() {
    let shared = Shared::new();
    let [here, there] = shared.nodes();
    let following = there.nobody().with("Accept", "text/event-stream").connect("GET", "/v1/events");
    let mut lines = BufReader::new(following).lines().map(Result::unwrap);
    // It hears of what comes after its place, which is known once it is answered.
    assert!(lines.any(|line| line.is_empty()));
    let id = here.nobody().ask();
    let data = lines.find(|line| line.starts_with("data:")).unwrap();
    assert!(data.contains(&id), "{data}");
    there.nobody().answer(&id, "a").is(200);
    assert!(lines.any(|line| line.starts_with("data:") && line.contains("decision:resolved")));
}

/// Starts `hold wait` on the address of a balancer.
fn waiting(balancer: &Balancer, id: &str) -> (Sandbox, Running) {
    let sandbox = Sandbox::new().with("HOLD_URL", &balancer.url());
    let running = sandbox.spawn(&["wait", id]);
    (sandbox, running)
}

#[test]
fn a_killed_nodes_waiters_go_on_elsewhere() {
    let shared = Shared::new();
    let [mut first, second] = shared.nodes();
    let balancer = Balancer::start(&[&first.address, &second.address]);
    let id = first.nobody().ask();
    let waiters: Vec<_> = (0..3).map(|_| waiting(&balancer, &id)).collect();
    first.parked(3);
    first.kill();
    second.parked(3);
    second.nobody().answer(&id, "b").is(200);
    for (_sandbox, waiter) in waiters {
        waiter.end().exits(0).prints("b");
    }
}

#[test]
fn a_node_that_stops_hands_its_waiters_over() {
    let shared = Shared::new();
    let [mut first, second] = shared.nodes();
    let balancer = Balancer::start(&[&first.address, &second.address]);
    let id = first.nobody().ask();
    let (_sandbox, waiter) = waiting(&balancer, &id);
    first.parked(1);
    first.stop().exits(0);
    second.parked(1);
    // A node that is added knows everything and wakes everyone.
    let third = Server::on(shared.sandbox(), &["--no-auth"]);
    third.nobody().answer(&id, "a").is(200);
    waiter.end().exits(0).prints("a");
}

#[test]
fn embedded_use_and_nodes_share_a_store() {
    let shared = Shared::new();
    let [node] = shared.nodes();
    let sandbox = shared.sandbox();
    let mut asking = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "-o", "b:B"]);
    let id = asking.holding();
    node.nobody().answer(&id, "b").is(200);
    asking.end().exits(0).prints("b");
    sandbox.is_well();
}
