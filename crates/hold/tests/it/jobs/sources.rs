//! All seven sources, from what an agent does to what a person is asked: options, marks and words.

use serde_json::{Value, json};

use super::{JobServer, agent};

/// Returns labels in the order of the one numbering, recommended ones with a star.
fn labels(decision: &Value) -> Vec<String> {
    let label = |option: &Value| {
        let star = if option["recommended"] == true { "*" } else { "" };
        format!("{star}{}", option["label"].as_str().unwrap())
    };
    let options = decision["fields"][0]["options"].as_array().into_iter().flatten();
    options.chain(decision["outs"].as_array().unwrap()).map(label).collect()
}

#[track_caller]
fn asks(steps: &[&str], more: Value, source: &str, options: &[&str], words: &[&str]) {
    let house = JobServer::new();
    let id = house.start(&agent(steps, more));
    let decision = house.asked_for(&id, source);
    assert_eq!(labels(&decision), options, "{decision:#}");
    let prompt = decision["prompt"].as_str().unwrap();
    for word in words {
        assert!(prompt.contains(word), "no {word:?} in {prompt}");
    }
    assert_eq!(decision["owner"], format!("job:{id}"));
    let job = house.job(&id);
    assert_eq!(job["waiting_for"], decision["id"]);
    assert_eq!(job["agent_id"], decision["requested_by"]);
    let tags = house.tags();
    let end = &tags[tags.len() - 2..];
    assert_eq!(end, ["decision:created", "step:waiting"]);
}

#[test]
fn an_idle_agent() {
    asks(
        &["line I have done what I can.", "idle"],
        json!({}),
        "idle",
        &["*Nudge", "Done", "Cancel", "Dismiss"],
        &[
            "Agent in job \"build\" is idle and waiting for input.",
            "--- Last Agent Message ---",
            "I have done what I can.",
        ],
    );
}

#[test]
fn a_dead_agent() {
    asks(
        &["line On my way out", "exit 42"],
        json!({}),
        "dead",
        &["*Retry", "Skip", "Cancel", "Dismiss"],
        &["Agent in job \"build\" exited unexpectedly (exit code 42).", "On my way out"],
    );
}

#[test]
fn an_agent_that_a_signal_ended() {
    asks(&["die 9"], json!({}), "dead", &["*Retry", "Skip", "Cancel", "Dismiss"], &["(exit code 137)"]);
}

#[test]
fn an_agent_with_an_error() {
    asks(
        &["line API Error: 429 rate_limit_error", "idle"],
        json!({}),
        "error",
        &["*Retry", "Skip", "Cancel", "Dismiss"],
        &["Agent in job \"build\" encountered an error: rate_limited - "],
    );
}

#[test]
fn a_gate_that_fails() {
    asks(
        &["line Ready", "idle"],
        json!({"on_idle": {"action": "gate", "run": "echo 2 tests failed; echo too bad >&2; exit 3"}}),
        "gate",
        &["*Retry", "Skip", "Cancel"],
        &[
            "Gate command failed in job \"build\".",
            "Command: echo 2 tests failed",
            "Exit code: 3",
            "stderr:\ntoo bad\nstdout:\n2 tests failed",
        ],
    );
}

#[test]
fn an_agent_that_asks_leave() {
    asks(
        &["permission Do you want to run rm -rf build?", "idle"],
        json!({}),
        "approval",
        &["Approve", "Deny", "Cancel", "Dismiss"],
        &["Agent in job \"build\" is showing a permission prompt."],
    );
}

#[test]
fn an_agent_that_asks_a_question() {
    let house = JobServer::new();
    let id = house.start(&agent(&["question Which database?|Postgres|SQLite", "idle"], json!({})));
    let decision = house.asked_for(&id, "question");
    let labels = labels(&decision);
    assert_eq!(labels[..2], ["Postgres", "SQLite"], "{decision:#}");
    assert_eq!(labels[labels.len() - 2..], ["Cancel", "Dismiss"]);
    assert_eq!(decision["fields"][0]["custom"], true, "Other: a person's own words");
    let prompt = decision["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("Agent in job \"build\" is asking a question."), "{prompt}");
    assert!(prompt.contains("Which database?"), "{prompt}");
}

#[test]
fn an_agent_that_shows_a_plan() {
    asks(
        &["plan First this, then that", "idle"],
        json!({}),
        "plan",
        &["*Accept (clear context)", "Accept (auto edits)", "Accept (manual edits)", "Revise", "Cancel"],
        &["Agent in job \"build\" is requesting plan approval.", "--- Plan ---", "First this, then that"],
    );
}
