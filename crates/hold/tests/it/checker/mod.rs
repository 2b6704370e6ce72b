//! Drives several nodes on one store with a random mix of commands while nodes are killed, connections cut and the
//! database restarted, and judges the outcome from its own record.
//!
//! A short run is an everyday test; `just soak MINUTES SEED` runs as long as one likes. The seed decides what is
//! sent, not when: the same seed is the same mix, not the same race.

pub(crate) mod chance;
mod chaos;
mod forged;
mod ground;
mod judge;
mod node;
mod record;
mod waiter;
mod wire;
mod worker;

use std::io::Write as _;
use std::time::{Duration, Instant};

use chance::Chance;
use ground::Ground;
use node::Node;
use record::{Board, Record};

/// How much is done.
struct Extent {
    nodes: usize,
    workers: usize,
    waiters: usize,
    time: Duration,
    /// How often the database is restarted.
    restarts: u32,
    seed: u64,
}

impl Extent {
    fn short(seed: u64) -> Self {
        let time = Duration::from_secs(12);
        Self { nodes: 3, workers: 4, waiters: 6, time, restarts: 2, seed }
    }
}

#[test]
fn nodes_on_postgres_keep_their_word() {
    let ground = Ground::postgres();
    check(&ground, &Extent::short(chance::any_seed()));
}

#[test]
fn nodes_on_one_file_keep_their_word() {
    let time = Duration::from_secs(6);
    check(&Ground::file(), &Extent { time, restarts: 0, ..Extent::short(chance::any_seed()) });
}

#[test]
#[ignore = "as long as one likes: just soak MINUTES SEED"]
fn soak() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let minutes = number("HOLD_SOAK_MINUTES").unwrap_or(5).max(1);
    let seed = number("HOLD_SOAK_SEED").filter(|seed| *seed != 0).unwrap_or_else(chance::any_seed);
    let ground = Ground::postgres();
    let time = Duration::from_secs(minutes * 60);
    let restarts = u32::try_from(minutes * 3).unwrap();
    check(&ground, &Extent { nodes: 4, workers: 8, waiters: 16, time, restarts, seed });
}

/// Runs, and judges.
fn check(ground: &Ground, extent: &Extent) {
    say(&format!("seed {}", extent.seed));
    let nodes: Vec<Node> = ground.sandboxes(extent.nodes).into_iter().map(Node::start).collect();
    let board = Board::new(nodes.iter().map(|node| node.address().to_owned()).collect());
    let record = drive(ground, extent, &nodes, &board);
    let (log, finals) = (ground.log(), ground::decisions(&board.nodes[0]));
    let mut findings = judge::judge(&record, &log, &finals);
    findings.extend(ground.unsound());
    say(&record.summary(log.len()));
    for finding in &findings {
        say(finding);
    }
    assert!(
        findings.is_empty(),
        "seed {}: {} findings, the first: {}",
        extent.seed,
        findings.len(),
        findings[0]
    );
    record.shows_something();
}

/// Lets everything happen at once until the time is up; then settles what is left and lets waiters come back.
fn drive(ground: &Ground, extent: &Extent, nodes: &[Node], board: &Board) -> Record {
    let until = Instant::now() + extent.time;
    let mut chance = Chance::new(extent.seed);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..extent.workers)
            .map(|number| {
                let chance = chance.split();
                scope.spawn(move || worker::work(number, board, chance, until))
            })
            .collect();
        let waiters: Vec<_> = (0..extent.waiters)
            .map(|_| {
                let chance = chance.split();
                scope.spawn(move || waiter::wait(board, chance, until))
            })
            .collect();
        // However this ends: those who wait must end as well.
        let end = End(board);
        let (killing, cutting, restarting) = (chance.split(), chance.split(), extent.restarts);
        let killer = scope.spawn(move || chaos::kill(nodes, killing, until));
        let cutter = scope.spawn(move || chaos::cut(ground, cutting, until));
        let outages = scope.spawn(move || chaos::restart(ground, extent.time, restarting));
        let mut record = Record { outages: outages.join().unwrap(), ..Record::default() };
        record.kills = killer.join().unwrap();
        record.cuts = cutter.join().unwrap();
        for worker in workers {
            record.sent.extend(worker.join().unwrap());
        }
        record.sent.extend(worker::settle_the_rest(board, &ground::pending(&board.nodes[0])));
        drop(end);
        for waiter in waiters {
            record.waited.extend(waiter.join().unwrap());
        }
        record
    })
}

/// Lets those who wait know that everything is settled.
struct End<'a>(&'a Board);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.everything_is_settled();
    }
}

/// Says something that the runner does not swallow.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "checker: {text}");
}
