//! Words for an agent whose menu still stands on the screen, with something printed below it: Enter would take what is
//! marked there, so they are not typed, and a decision says so.

use std::time::Instant;

use serde_json::{Value, json};

use super::JobServer;
use crate::process::TIMEOUT;

const PLAN: &str = r"Here is the plan:\r\nFirst this\r\n\r\nWould you like to proceed?\r\n❯ 1. Yes, auto-accept edits\r\n  2. Yes, manually approve edits\r\n  3. No, keep planning\r\n";
const LIST: &str = r"Which port?\r\n❯ 1. 8080\r\n  2. 9090\r\n\r\nEnter to select · Esc to cancel\r\n";
const LIST_WITH_PLACE: &str = r"Which port?\r\n❯ 1. 8080\r\n  2. 9090\r\n  3. Type something.\r\n\r\nEnter to select · Esc to cancel\r\n";
const REDRAWN: &str = r"\033[2J\033[H";

/// Starts an agent that reads key by key, writes each one down in a file, and prints something after the first.
fn agent(house: &JobServer, menu: &str, after: &str, keys: &str) -> String {
    let script = format!(
        "stty raw -echo; printf '{menu}'; dd bs=1 count=1 2>/dev/null >> {keys}; printf '{after}'; exec cat >> {keys}"
    );
    house.start(&json!({"run": script, "idle_after": "1s"}))
}

/// Waits for the next decision about a job.
#[track_caller]
fn next(house: &JobServer, id: &str, before: &Value) -> Value {
    let job = house.until(id, "another decision", |job| {
        job["status"] == "waiting" && job["waiting_for"] != before["id"]
    });
    house.sandbox.show(job["waiting_for"].as_str().unwrap())
}

#[test]
fn words_are_not_typed_into_a_menu_with_something_below_it() {
    let house = JobServer::new();
    let confirm = |menu: &str| format!("{REDRAWN}{menu}\\r\\nPress again to confirm");
    let busy = r"\r\n(busy)\r\n".to_owned();
    let cases = [
        ("plan", PLAN, busy.clone(), Some("revise"), "3"),
        ("plan", PLAN, confirm(PLAN), Some("revise"), "3"),
        ("question", LIST, busy, None, "\u{1b}"),
        ("question", LIST, confirm(LIST), None, "\u{1b}"),
        ("question", LIST_WITH_PLACE, confirm(LIST_WITH_PLACE), None, "3"),
    ];
    for (at, (source, menu, after, choice, typed)) in cases.into_iter().enumerate() {
        let keys = format!("keys{at}");
        let id = agent(&house, menu, &after, &keys);
        let decision = house.asked_for(&id, source);
        let mut command = vec!["answer", decision["id"].as_str().unwrap()];
        command.extend(choice);
        command.extend(["-m", "fewer steps please", "--digest", decision["digest"].as_str().unwrap()]);
        house.sandbox.ok(&command);
        let asked = next(&house, &id, &decision);
        let prompt = asked["prompt"].as_str().unwrap();
        assert!(prompt.contains("\"fewer steps please\" was not typed"), "case {at}: {asked:#}");
        assert_eq!(std::fs::read_to_string(house.path(&keys)).unwrap(), typed, "case {at}");
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
    }
}

#[test]
fn a_menu_above_a_place_to_type_does_not_keep_words_back() {
    let house = JobServer::new();
    let id = agent(&house, PLAN, r"\r\nWhat should be different?\r\n> ", "keys");
    let plan = house.asked_for(&id, "plan");
    house.answer(&plan, "revise", &["-m", "tests first"]);
    let deadline = Instant::now() + TIMEOUT;
    while std::fs::read_to_string(house.path("keys")).unwrap_or_default() != "3tests first\r" {
        assert!(Instant::now() < deadline, "{:?}", std::fs::read_to_string(house.path("keys")));
    }
}
