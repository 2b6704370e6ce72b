//! Agents that read whole lines and show a list with a mark: the number is followed by Enter, and only there.

use std::time::Instant;

use serde_json::json;

use super::JobServer;
use crate::process::TIMEOUT;

const LIST: &str = r"Which port?\r\n❯ 1. 8080\r\n  2. 9090\r\n";
const LIST_WITH_PLACE: &str = r"Which port?\r\n❯ 1. 8080\r\n  2. 9090\r\n  3. Type something.\r\n";
const PERMISSION: &str = r"Do you want to make this edit?\r\n❯ 1. Yes\r\n  2. No\r\n";
const YES_ALONE: &str = r"Do you want to make this edit?\r\n❯ 1. Yes\r\n  2. Yes, always\r\n";
const PLAN: &str = r"Here is the plan:\r\nFirst this\r\n\r\nWould you like to proceed?\r\n❯ 1. Yes, auto-accept edits\r\n  2. Yes, manually approve edits\r\n  3. No, keep planning\r\n";

/// Starts an agent that shows a menu, reads with a command and writes down each line that it gets.
fn start(house: &JobServer, menu: &str, read: &str, heard: &str) -> String {
    let script =
        format!(r#"bash -c "printf '{menu}'; while {read} a; do printf '%s\\n' \"\$a\" >> {heard}; done""#);
    house.start(&json!({"run": script, "idle_after": "1s"}))
}

#[track_caller]
fn until_heard(house: &JobServer, file: &str, wanted: &str) {
    let deadline = Instant::now() + TIMEOUT;
    let heard = || std::fs::read_to_string(house.path(file)).unwrap_or_default();
    while heard() != wanted {
        assert!(Instant::now() < deadline, "heard {:?}, not {wanted:?}", heard());
    }
}

#[test]
fn an_agent_that_reads_lines_hears_the_number() {
    let house = JobServer::new();
    // The terminal gathers the line, or the agent does so itself.
    let cases: [(&str, &str, &str, &[&str], &str); 12] = [
        ("read -r", LIST, "question", &["2"], "2\n"),
        ("read -r -e", LIST, "question", &["2"], "2\n"),
        ("read -r", LIST, "question", &["-m", "7070"], "7070\n"),
        ("read -r", LIST_WITH_PLACE, "question", &["-m", "7070"], "3\n7070\n"),
        ("read -r", PERMISSION, "approval", &["approve"], "1\n"),
        ("read -r -e", PERMISSION, "approval", &["deny"], "2\n"),
        ("read -r", YES_ALONE, "approval", &["deny"], "n\n"),
        ("read -r -p 'Continue? [y/n] '", "", "approval", &["deny"], "n\n"),
        ("read -r -e -p 'Continue? [y/n] '", "", "approval", &["approve"], "y\n"),
        ("read -r", PLAN, "plan", &["accept_auto"], "1\n"),
        ("read -r", PLAN, "plan", &["accept_manual"], "2\n"),
        ("read -r", PLAN, "plan", &["revise", "-m", "tests first"], "3\ntests first\n"),
    ];
    for (at, (read, menu, source, answer, heard)) in cases.into_iter().enumerate() {
        let file = format!("heard{at}");
        let id = start(&house, menu, read, &file);
        let decision = house.asked_for(&id, source);
        let mut words = vec!["answer", decision["id"].as_str().unwrap()];
        words.extend(answer);
        words.extend(["--digest", decision["digest"].as_str().unwrap()]);
        house.sandbox.ok(&words);
        until_heard(&house, &file, heard);
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
    }
}

/// Agents that take a key at once, two of them where the key stands on the screen: Enter would be for what comes next.
#[test]
fn no_enter_goes_to_an_agent_that_reads_keys() {
    let house = JobServer::new();
    let next = r"\r\nNext?\r\n❯ 1. Yes, on\r\n  2. Stop\r\n";
    let echoed = format!(r"2{next}");
    let key = r"Continue? (y/n) ";
    let cases = [
        ("raw -echo", LIST, "question", "2", "2", next),
        ("raw -echo", LIST, "question", "2", "2", echoed.as_str()),
        ("-icanon min 1", LIST, "question", "2", "2", next),
        ("raw -echo", key, "approval", "approve", "y", next),
        ("-icanon min 1", key, "approval", "deny", "n", next),
    ];
    for (at, (modes, menu, source, answer, key, after)) in cases.into_iter().enumerate() {
        let keys = format!("keys{at}");
        let script = format!(
            "stty {modes}; printf '{menu}'; dd bs=1 count=1 2>/dev/null >> {keys}; printf '{after}'; exec cat >> {keys}"
        );
        let id = house.start(&json!({"run": script, "idle_after": "1s"}));
        let first = house.asked_for(&id, source);
        house.answer(&first, answer, &[]);
        house.until(&id, "the next question", |job| {
            job["status"] == "waiting" && job["waiting_for"] != first["id"]
        });
        assert_eq!(std::fs::read_to_string(house.path(&keys)).unwrap(), key, "case {at}");
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
    }
}

#[test]
fn a_number_of_two_digits_is_not_typed_into_a_list_that_takes_one_key() {
    let house = JobServer::new();
    let options: Vec<String> = (2..=11).map(|number| format!(r"  {number}. option {number}\r\n")).collect();
    let options = options.concat();
    let script = format!(
        r"stty raw -echo; printf 'Which?\r\n❯ 1. option 1\r\n{options}'; dd bs=1 count=1 2>/dev/null >> ten; exec sleep 600"
    );
    let id = house.start(&json!({"run": script, "idle_after": "1s"}));
    let first = house.asked_for(&id, "question");
    house.answer(&first, "10", &[]);
    house.until(&id, "that it was not typed", |job| {
        job["status"] == "waiting" && job["waiting_for"] != first["id"]
    });
    let next =
        house.sandbox.json(&["job", "show", &id, "--json"])["waiting_for"].as_str().unwrap().to_owned();
    assert!(house.sandbox.ok(&["show", &next]).contains("was not typed: the agent's list takes one key"));
    assert_eq!(std::fs::read_to_string(house.path("ten")).unwrap_or_default(), "");
}
