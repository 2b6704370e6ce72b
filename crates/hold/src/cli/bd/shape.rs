//! The JSON that `bd … --json` prints for decisions.

use std::time::Duration;

use holdpoint_core::{Decision, Status};
use holdpoint_engine::Client;
use holdpoint_protocols::beads::{self, DecisionPoint};

/// Converts a decision to a decision point. Only the log knows who cancelled one.
pub(super) async fn of(client: &dyn Client, decision: &Decision) -> DecisionPoint {
    let mut point = beads::view(decision);
    if decision.status == Status::Cancelled && point.responded_by.is_none() {
        point.responded_by = cancelled_by(client, decision).await;
    }
    point
}

/// Converts decisions to decision points.
pub(super) async fn of_all(client: &dyn Client, decisions: &[Decision]) -> Vec<DecisionPoint> {
    let mut points = Vec::with_capacity(decisions.len());
    for decision in decisions {
        points.push(of(client, decision).await);
    }
    points
}

async fn cancelled_by(client: &dyn Client, decision: &Decision) -> Option<String> {
    let mut after = 0;
    loop {
        let page = client.events(after, Some(decision.id), None, Duration::ZERO).await.ok()?;
        let is_it = |event: &&serde_json::Map<String, serde_json::Value>| {
            event.get("type").is_some_and(|tag| tag == "decision:cancelled")
        };
        if let Some(event) = page.events.iter().find(is_it) {
            return event.get("by")?.as_str().map(str::to_owned);
        }
        if page.last <= after {
            return None;
        }
        after = page.last;
    }
}
