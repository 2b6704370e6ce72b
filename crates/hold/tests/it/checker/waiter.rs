//! Those who hold on decisions, each on any node, and on another when that one is gone.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::chance::Chance;
use super::record::{Board, Waited};
use super::wire::{Cut, Request};

/// How long after everything was settled someone may still wait.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Waits for one decision after the other until the time is up, and for the last one until it is settled.
pub(super) fn wait(board: &Board, mut chance: Chance, until: Instant) -> Vec<Waited> {
    let mut waited = Vec::new();
    while Instant::now() < until {
        let open = board.decisions().open.iter().rev().take(20).cloned().collect::<Vec<_>>();
        match chance.of(&open) {
            Some(id) => waited.push(hold(board, &mut chance, id)),
            None => std::thread::park_timeout(Duration::from_millis(5)),
        }
    }
    waited
}

fn hold(board: &Board, chance: &mut Chance, id: &str) -> Waited {
    let since = Instant::now();
    let settled = std::sync::Mutex::new(None::<Instant>);
    // Asked again and again: once everything is settled, it is not long until one should have been woken.
    let enough = || {
        let mut settled = settled.lock().unwrap();
        if settled.is_none() && board.is_everything_settled() {
            *settled = Some(Instant::now());
        }
        settled.is_some_and(|settled| settled.elapsed() > TIMEOUT)
    };
    let path = format!("/v1/decisions/{id}/wait?timeout=5m");
    let request = Request { method: "GET", path: &path, key: None, body: None };
    let mut outcome = None;
    while outcome.is_none() && !enough() {
        let Some(node) = chance.of(&board.nodes) else { break };
        match request.send(node, enough) {
            Ok(reply) if reply.status == 200 => {
                let decision: Value = serde_json::from_str(&reply.body).unwrap_or_default();
                outcome = Some(decision).filter(|decision| decision["status"] != "pending");
            }
            Ok(_) | Err(Cut::Unsent) => std::thread::park_timeout(Duration::from_millis(10)),
            Err(Cut::Lost | Cut::GivenUp) => {}
        }
    }
    let now = Instant::now();
    let known = board.decisions().settled.get(id).copied().unwrap_or(now);
    let late = now.saturating_duration_since(known.max(since));
    if outcome.is_some() {
        // Nobody need pick it again.
        board.closed(id);
    }
    Waited { id: id.to_owned(), outcome, late }
}
