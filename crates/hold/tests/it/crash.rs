//! Killed at any moment, a process loses nothing that it acknowledged and leaves nothing half done.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Long enough for hundreds of kills; `HOLD_KILL_SECONDS` says otherwise.
fn time() -> Duration {
    let seconds = std::env::var("HOLD_KILL_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(8))
}

/// A few random numbers; which ones does not matter.
fn random(below: u64) -> u64 {
    RandomState::new().build_hasher().finish() % below
}

/// Kills processes at random moments, within a while that follows how long they take here and now.
struct Killer {
    most: Duration,
    kills: usize,
}

impl Killer {
    fn new() -> Self {
        Self { most: Duration::from_millis(60), kills: 0 }
    }

    /// Starts a process, kills it at some moment, and returns what it had printed until then.
    fn run(&mut self, command: &mut Command) -> String {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let moment = Duration::from_micros(random(u64::try_from(self.most.as_micros()).unwrap()));
        // Not to wait for anything: the moment must be a random one.
        std::thread::park_timeout(moment);
        let _ = child.kill();
        let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        self.kills += 1;
        // About half of them should get to the end.
        self.most = if said.is_empty() { self.most * 11 / 10 } else { self.most * 9 / 10 };
        self.most = self.most.clamp(Duration::from_millis(2), Duration::from_secs(2));
        said
    }
}

/// What processes said that they had done before they were killed.
#[derive(Default)]
struct Acknowledged {
    asked: Vec<String>,
    answered: Vec<(String, String)>,
    cancelled: Vec<String>,
    guided: Vec<String>,
    kills: usize,
}

/// Asks, answers, guides and cancels until the time is up, always killed at some moment.
fn kill_writers(sandbox: &Sandbox, until: Instant) -> Acknowledged {
    let mut done = Acknowledged::default();
    let mut killer = Killer::new();
    let mut open: Vec<String> = Vec::new();
    while Instant::now() < until || killer.kills < 20 {
        let Some(id) = open.pop() else {
            let said =
                killer.run(&mut sandbox.command(&["ask", "Which?", "-o", "a:A", "-o", "b:B", "--no-wait"]));
            if let Some(id) = said.lines().next().filter(|id| id.len() == 16) {
                done.asked.push(id.to_owned());
                open.push(id.to_owned());
            }
            continue;
        };
        let choice = ["a", "b"][usize::try_from(random(2)).unwrap()];
        match random(4) {
            0 | 1 if killer.run(&mut sandbox.command(&["answer", &id, choice])).contains("Answered") => {
                done.answered.push((id, choice.to_owned()));
            }
            2 if killer.run(&mut sandbox.command(&["cancel", &id])).contains("Cancelled") => {
                done.cancelled.push(id);
            }
            3 if killer
                .run(&mut sandbox.command(&["answer", &id, "--guidance", "think"]))
                .contains("Sent back") =>
            {
                done.guided.push(id);
            }
            _ => {}
        }
    }
    done.kills = killer.kills;
    done
}

#[test]
fn killed_writers_lose_nothing_that_they_acknowledged() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\non_decision_respond = \"cat >/dev/null\"\n");
    sandbox.ask_a_or_b();
    let until = Instant::now() + time();
    let writers: Vec<Acknowledged> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| kill_writers(&sandbox, until))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let all = sandbox.json(&["list", "--status", "all", "--limit", "100000", "--json"]);
    let find = |id: &str| -> &Value {
        let found = all.as_array().unwrap().iter().find(|decision| decision["id"] == id);
        found.unwrap_or_else(|| panic!("{id} was acknowledged and is lost"))
    };
    let (mut kills, mut kept) = (0, 0);
    for done in &writers {
        kills += done.kills;
        kept += done.asked.len() + done.answered.len() + done.cancelled.len() + done.guided.len();
        for id in &done.asked {
            find(id);
        }
        for (id, choice) in &done.answered {
            assert_eq!(find(id)["answer"]["values"]["choice"], choice.as_str(), "{id}");
        }
        for id in &done.cancelled {
            assert_eq!(find(id)["status"], "cancelled", "{id}");
        }
        for id in &done.guided {
            let next = find(id)["next"].as_str().unwrap();
            assert_eq!(find(next)["prior"], id.as_str());
        }
    }
    // Half settled: an answer without its status, or a round without its next.
    for decision in all.as_array().unwrap() {
        let settled = decision["status"] != "pending";
        assert_eq!(decision["settled_at"].is_string(), settled, "{decision}");
        assert_eq!(
            decision["answer"].is_object(),
            ["answered", "refined"].contains(&decision["status"].as_str().unwrap())
        );
        assert_eq!(decision["next"].is_string(), decision["status"] == "refined", "{decision}");
    }
    assert!(kills >= 60 && kept > 3, "{kills} kills, {kept} acknowledged: too few to show anything");
    sandbox.is_well();
}

#[test]
fn a_first_run_that_is_killed_leaves_a_store_that_works() {
    let mut killer = Killer::new();
    for _ in 0..20 {
        let sandbox = Sandbox::new();
        let said = killer.run(&mut sandbox.command(&["ask", "Q?", "--no-wait"]));
        let id = sandbox.ask_a_or_b();
        if let Some(first) = said.lines().next().filter(|first| first.len() == 16) {
            sandbox.show(first);
        }
        sandbox.ok(&["answer", &id, "a"]);
        sandbox.is_well();
    }
}

#[test]
fn a_killed_waiter_leaves_the_decision_pending() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Q?", "-o", "a:A"]);
    let id = agent.holding();
    agent.signal(rustix::process::Signal::KILL);
    assert_eq!(agent.end().code, -1);
    assert_eq!(sandbox.show(&id)["status"], "pending");
    let waiting = sandbox.spawn(&["wait", &id]);
    sandbox.ok(&["answer", &id, "a"]);
    waiting.end().exits(0);
    sandbox.is_well();
}

#[test]
fn a_killed_deleter_deletes_all_or_nothing() {
    let sandbox = Sandbox::new();
    let mut killer = Killer::new();
    for round in 0..10 {
        let item = format!("x{round}");
        let owner = format!("item:{item}");
        for _ in 0..3 {
            sandbox.ask(&["Q?", "--owner", &owner, "-o", "a:A"]);
        }
        killer.run(&mut sandbox.command(&["item", "delete", &item]));
        let left = sandbox.json(&["list", "--owner", &owner, "--json"]).as_array().unwrap().len();
        assert!(left == 0 || left == 3, "{left} of 3 are left");
        let known = sandbox.run(&["item", "show", &item]).code == 0;
        assert_eq!(known, left == 3);
    }
    sandbox.is_well();
}
