//! A gate is run again once a person has spoken to the agent, and its last result is what the verdict shows.

use std::time::Instant;

use serde_json::json;

use super::attempts::{start, until};
use super::{JobServer, agent};
use crate::process::TIMEOUT;

#[test]
fn after_a_persons_words_a_gate_is_run_again_and_its_last_result_counts() {
    let house = JobServer::new();
    let there = house.path("there").display().to_string();
    let gate = json!({"on_idle": {"action": "gate", "run": format!("test -f '{there}'")}});
    let book = json!({
        "job": {"build": {"worktree": true, "steps": [
            {"name": "make", "run": "echo two >> a.txt"},
            {"name": "work", "run": {"agent": "w"}},
        ]}},
        "agent": {"w": agent(&["line Ready", "idle"], gate)},
    });
    let id = start(&house, &book);
    let first = house.asked_for(&id, "gate");
    let resolve = |decision: &serde_json::Value, words: &str| {
        house.sandbox.ok(&["oj", "decision", "resolve", decision["id"].as_str().unwrap(), "-m", words]);
    };
    resolve(&first, "write the file");
    house.until(&id, "the second decision", |job| job["decisions"].as_array().unwrap().len() == 2);
    let second = house.asked_for(&id, "gate");
    std::fs::write(&there, "").unwrap();
    resolve(&second, "now it is there");
    house.until_status(&id, "done");
    let run = until(&house, |run| run["status"] == "finished");
    let codes: Vec<_> = run["evidence"].as_array().unwrap().iter().map(|one| &one["exit_code"]).collect();
    assert_eq!(codes, [1, 1, 0], "all of it is kept");
    let asked = house.sandbox.show(run["decision"].as_str().unwrap());
    let prompt = asked["prompt"].as_str().unwrap();
    assert!(prompt.contains(", after it had failed 2 times."), "{prompt}");
    assert!(!prompt.contains("failed with exit code"), "{prompt}");
    let card = house.sandbox.ok(&["show", run["decision"].as_str().unwrap()]);
    let (_, change) = card.split_once("Change:").unwrap();
    assert!(change.contains(", after it had failed 2 times"), "{card}");
    assert!(!change.contains("failed with exit code"), "{card}");
    let shown = house.sandbox.ok(&["run", "show", run["id"].as_str().unwrap()]);
    assert_eq!(shown.matches("run again since").count(), 2, "{shown}");
}

#[test]
fn after_a_nudge_the_runbooks_own_tries_begin_anew() {
    let house = JobServer::new();
    let nudges = json!({"on_idle": {"action": "nudge", "message": "by the runbook", "attempts": 1}});
    let id = house.start(&agent(&["line Ready", "idle"], nudges));
    house.answer(&house.asked_for(&id, "idle"), "nudge", &["-m", "by a person"]);
    house.until(&id, "a second decision", |job| job["decisions"].as_array().unwrap().len() == 2);
    let typed = house.typed("work");
    let order: Vec<&str> = typed.lines().filter(|line| line.starts_with("by ")).collect();
    assert_eq!(order, ["by the runbook", "by a person", "by the runbook"]);
}

#[test]
fn words_at_a_gate_for_an_agent_that_has_ended_start_it_again_and_reach_it() {
    let house = JobServer::new();
    let id = house.start(&json!({
        "run": "test -n \"$HOLD_MESSAGE\" && echo \"$HOLD_MESSAGE\" > told; exit 3",
        "on_dead": {"action": "gate", "run": "test -f told"},
    }));
    let asked = house.asked_for(&id, "gate");
    house.sandbox.ok(&["oj", "decision", "resolve", asked["id"].as_str().unwrap(), "-m", "write it down"]);
    house.until_status(&id, "done");
    assert_eq!(std::fs::read_to_string(house.path("told")).unwrap(), "write it down\n");
}

#[test]
fn resuming_with_words_at_a_gate_tells_the_agent_that_is_still_there() {
    let house = JobServer::new();
    let there = house.path("there").display().to_string();
    let gate = json!({"on_idle": {"action": "gate", "run": format!("test -f '{there}'")}});
    let id = house.start(&agent(&["line Ready", "idle"], gate));
    house.asked_for(&id, "gate");
    let agent_id = house.job(&id)["agent_id"].clone();
    std::fs::write(&there, "").unwrap();
    house.sandbox.ok(&["job", "resume", &id, "-m", "look again"]);
    house.until_typed("look again\n");
    let done = house.until_status(&id, "done");
    let visits = done["history"].as_array().unwrap();
    let worked: Vec<_> = visits.iter().filter(|visit| visit["step"] == "work").collect();
    assert_eq!(worked.len(), 1, "it was not started again: {done}");
    assert_eq!(worked[0]["agent_id"], agent_id);
}

#[test]
fn words_typed_by_hand_to_a_quick_agent_run_its_gate_again() {
    let house = JobServer::new();
    let there = house.path("there").display().to_string();
    let gate = json!({"on_idle": {"action": "gate", "run": format!("test -f '{there}'")}});
    // It takes every line at once, and says nothing about it.
    let mut quick = agent(&[], gate);
    quick["run"] = json!("echo Ready; while read -r words; do echo \"$words\" >> heard; done");
    let id = house.start(&quick);
    let asked = house.asked_for(&id, "gate");
    std::fs::write(&there, "").unwrap();
    house.type_by_hand(&id, "Ready", "now it is there\r");
    house.until_status(&id, "done");
    assert_eq!(house.sandbox.show(asked["id"].as_str().unwrap())["status"], "cancelled");
}

#[test]
fn words_typed_by_hand_clear_what_an_idle_agent_asked() {
    let house = JobServer::new();
    let mut quick = agent(&[], json!({}));
    quick["run"] = json!("echo Ready; while read -r words; do echo \"$words\" >> heard; done");
    let id = house.start(&quick);
    let asked = house.asked_for(&id, "idle");
    house.type_by_hand(&id, "Ready", "go on then\r");
    let job = house.until(&id, "another decision", |job| {
        job["status"] == "waiting" && job["waiting_for"] != asked["id"]
    });
    assert_eq!(house.sandbox.show(asked["id"].as_str().unwrap())["status"], "cancelled", "{job}");
}

#[test]
fn a_gate_that_outlives_a_killed_server_is_ended_before_it_is_run_again() {
    let mut house = JobServer::new();
    // Says so where another holds what is locked for as long as it runs, and waits for a file.
    let [go, log, lock] = ["go", "log", "lock"].map(|name| house.path(name).display().to_string());
    let gate = format!(
        "exec 9>'{lock}'; flock -n 9 || echo beside another >> '{log}'; echo in >> '{log}'; \
         until test -f '{go}'; do sleep 0.05; done; echo out >> '{log}'"
    );
    let id =
        house.start(&agent(&["line Ready", "idle"], json!({"on_idle": {"action": "gate", "run": gate}})));
    let until_said = |wanted: &str| {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            if said == wanted {
                return;
            }
            assert!(wanted.starts_with(&said) && Instant::now() < deadline, "{said:?}, not {wanted:?}");
        }
    };
    until_said("in\n");
    house.restart();
    until_said("in\nin\n");
    std::fs::write(&go, "").unwrap();
    house.until_status(&id, "done");
    until_said("in\nin\nout\n");
    assert_eq!(std::fs::read_dir(house.sandbox.home().join("gates")).unwrap().count(), 0);
}
