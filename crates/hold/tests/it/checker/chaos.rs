//! What goes wrong: nodes are killed, connections cut, the database crashes.

use std::time::{Duration, Instant};

use super::chance::Chance;
use super::ground::Ground;
use super::node::Node;

/// Kills one node a second and starts it again; returns how many were killed.
pub(super) fn kill(nodes: &[Node], mut chance: Chance, until: Instant) -> usize {
    let mut kills = 0;
    let mut next = Instant::now();
    while Instant::now() < until {
        if let Some(node) = chance.of(nodes) {
            node.restart();
            kills += 1;
        }
        next += Duration::from_secs(1);
        rest(next.min(until));
    }
    kills
}

/// Cuts a few connections now and then; returns how many were cut.
pub(super) fn cut(ground: &Ground, mut chance: Chance, until: Instant) -> usize {
    let mut cuts = 0;
    while Instant::now() < until {
        cuts += ground.cut(1 + chance.below(4));
        let pause = Duration::from_millis(150 + chance.below(500));
        rest((Instant::now() + pause).min(until));
    }
    cuts
}

/// Restarts the database this many times, evenly; returns how often.
pub(super) fn restart(ground: &Ground, time: Duration, times: u32) -> usize {
    let start = Instant::now();
    for at in 1..=times {
        rest(start + time / (times + 1) * at);
        ground.restart();
    }
    rest(start + time);
    usize::try_from(times).unwrap()
}

/// Waits for a moment: it is to be so long, not until something happens.
fn rest(until: Instant) {
    while Instant::now() < until {
        std::thread::park_timeout(until.saturating_duration_since(Instant::now()));
    }
}
