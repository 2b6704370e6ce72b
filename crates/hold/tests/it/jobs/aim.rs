//! What is typed is for what the person saw: an agent that shows something else by then does not hear it.

use std::time::Instant;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use super::{JobServer, agent};
use crate::process::TIMEOUT;

/// An agent that reads a line, and shows other words once there is a file `swap`. What it hears it writes down.
fn fickle(before: &str, after: &str) -> Value {
    let swaps = format!("(until test -f swap; do sleep 0.05; done; printf '{after}'; touch swapped) &");
    json!({"run": format!("{swaps} printf '{before}'; read a; echo \"heard:$a\" >> heard; read b"), "idle_after": "1s"})
}

/// Lets an agent show something else while no server looks, and has the old question answered meanwhile.
fn swapped(house: &mut JobServer, decision: &Value, answer: &[&str]) {
    house.server.take().unwrap().kill();
    std::fs::write(house.path("swap"), "").unwrap();
    until("the agent shows something else", || house.path("swapped").exists());
    house.sandbox.ok(&[&["answer", decision["id"].as_str().unwrap()], answer].concat());
    house.restart();
}

#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}");
    }
}

/// Waits for a pending decision whose words are these.
#[track_caller]
pub(super) fn asked_about(house: &JobServer, id: &str, words: &[&str]) -> Value {
    let fits = |one: &Value| {
        let text = format!("{}\n{}", one["prompt"].as_str().unwrap(), one["subject"]["prompt"]);
        one["status"] == "pending" && words.iter().all(|words| text.contains(words))
    };
    let find = |job: &Value| job["decisions"].as_array().unwrap().iter().find(|one| fits(one)).cloned();
    find(&house.until(id, "a decision about it", |job| find(job).is_some())).unwrap()
}

#[test]
fn a_yes_is_not_heard_by_another_prompt() {
    let mut house = JobServer::new();
    let id = house.start(&fickle("Delete A? [y/n] ", "\\r\\033[KDelete B? [y/n] "));
    let first = house.asked_for(&id, "approval");
    assert!(first["subject"]["prompt"].as_str().unwrap().contains("Delete A?"));
    swapped(&mut house, &first, &["approve"]);
    let second = asked_about(&house, &id, &["Delete B?", "was not typed", first["id"].as_str().unwrap()]);
    assert_eq!(second["source"], "approval");
    assert!(!house.path("heard").exists(), "nothing was typed");
    house.answer(&second, "deny", &[]);
    until("the no is heard", || {
        std::fs::read_to_string(house.path("heard")).is_ok_and(|text| text == "heard:n\n")
    });
}

/// A terminal shows one prompt at a time: nobody is asked about one that is gone.
#[test]
fn a_prompt_that_took_the_place_of_another_supersedes_it() {
    let house = JobServer::new();
    let run = r"printf 'Delete table users? [y/N] '; read -t 3 a; printf '\nDelete the disk? [y/N] '; read b";
    let id = house.start(&json!({"run": format!("bash -c {}", shlex(run)), "idle_after": "1s"}));
    let first = house.asked_for(&id, "approval");
    assert!(first["subject"]["prompt"].as_str().unwrap().contains("table users"), "{first:#}");
    let second = asked_about(&house, &id, &["Delete the disk?"]);
    let shown = house.sandbox.show(first["id"].as_str().unwrap());
    assert_eq!(
        (&shown["status"], &shown["superseded_by"]),
        (&json!("superseded"), &second["id"]),
        "{shown:#}"
    );
}

fn shlex(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[test]
fn a_nudge_is_not_heard_by_a_prompt() {
    let mut house = JobServer::new();
    let id = house.start(&fickle("Ready\\n", "Delete all? [y/n] "));
    let idle = house.asked_for(&id, "idle");
    swapped(&mut house, &idle, &["nudge", "-m", "yes, do go on"]);
    let asked = asked_about(&house, &id, &["Delete all?", "was not typed"]);
    assert_eq!(asked["source"], "approval");
    assert!(!house.path("heard").exists(), "nothing was typed");
}

#[test]
fn an_answer_to_what_has_gone_becomes_a_decision() {
    let mut house = JobServer::new();
    let id = house.start(&fickle("Delete A? [y/n] ", "\\r\\033[KNever mind.\\n"));
    let first = house.asked_for(&id, "approval");
    swapped(&mut house, &first, &["approve"]);
    // The agent's last words are younger than its time to be idle, and older than this question.
    let asked = asked_about(&house, &id, &["was not typed", first["id"].as_str().unwrap()]);
    assert_eq!(asked["source"], "idle");
    house.answer(&asked, "nudge", &["-m", "go on"]);
    until("that is heard", || {
        std::fs::read_to_string(house.path("heard")).is_ok_and(|text| text == "heard:go on\n")
    });
    let all = house.job(&id)["decisions"].clone();
    assert!(all.as_array().unwrap().iter().all(|one| one["status"] != "cancelled"), "taken back: {all:#}");
}

#[test]
fn words_with_a_yes_are_not_heard_by_the_next_prompt() {
    let house = JobServer::new();
    let steps = ["permission Do you want to run one?", "permission Do you want to run two?", "got", "idle"];
    let id = house.start(&agent(&steps, json!({})));
    house.answer(&house.asked_for(&id, "approval"), "approve", &["-m", "but only once"]);
    let second = asked_about(&house, &id, &["run two?", "\"but only once\" was not typed"]);
    assert_eq!(house.typed("work"), "1");
    house.answer(&second, "deny", &[]);
    house.until_typed("13");
}

#[test]
fn words_instead_of_a_yes_decline_and_say_why() {
    let house = JobServer::new();
    let id = house.start(&agent(&["permission Do you want to run make?", "got", "idle"], json!({})));
    let decision = house.asked_for(&id, "approval");
    house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), "-m", "use just"]);
    house.until_typed("3use just\n");
}

#[test]
fn words_for_one_that_died_start_it_again_with_them() {
    let house = JobServer::new();
    let id = house.start(
        &json!({"run": "test -n \"$HOLD_MESSAGE\" && echo \"$HOLD_MESSAGE\" > told && exit 0; exit 3",
        "on_dead": [{"match": 0, "action": "done"}]}),
    );
    let decision = house.asked_for(&id, "dead");
    house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), "-m", "mind the gap"]);
    house.until_status(&id, "done");
    assert_eq!(std::fs::read_to_string(house.path("told")).unwrap(), "mind the gap\n");
}

/// The host wrote down what it types, typed half of it, and died: a decision says that nobody knows, and nothing is typed
/// again.
#[test]
fn a_host_that_dies_while_it_types_leaves_a_decision_that_says_so() {
    for server_dies_too in [false, true] {
        let mut house = JobServer::new();
        // It does not read, so that the terminal takes some thousand bytes and no more.
        let id = house.start(&json!({"run": "stty raw -echo; touch up; exec sleep 1000"}));
        until("the agent is up", || house.path("up").exists());
        house.sandbox.ok(&["job", "resume", &id, "-m", &"long words ".repeat(4000)]);
        let session = house.session(&id);
        let begun =
            || std::fs::read_to_string(session.join("journal")).is_ok_and(|text| text.contains("begun"));
        until("the host has begun to type", begun);
        if server_dies_too {
            house.server.take().unwrap().kill();
        }
        kill_process(house.host(&id), Signal::KILL).unwrap();
        if server_dies_too {
            house.restart();
        }
        let unknown = "It is not known whether this was done: typing \"long words";
        let asked = asked_about(&house, &id, &["terminal is gone", unknown]);
        assert_eq!(asked["source"], "dead");
        assert!(!std::fs::read_to_string(session.join("journal")).unwrap().contains("\"typed\""));
        house.answer(&asked, "skip", &[]);
        house.until_status(&id, "done");
    }
}

/// The server is killed after it took an order and before it heard that it was carried out.
#[test]
fn a_server_killed_while_keys_are_typed_types_them_once() {
    let mut house = JobServer::new();
    let id = house.start(&agent(&["line Ready", "idle"], json!({})));
    let decision = house.asked_for(&id, "idle");
    let host = house.host(&id);
    // The host answers nobody, so that the typing process waits.
    kill_process(host, Signal::STOP).unwrap();
    house.answer(&decision, "nudge", &["-m", "once"]);
    until("the order is taken", || house.job(&id)["status"] == "running");
    house.server.take().unwrap().kill();
    kill_process(host, Signal::CONT).unwrap();
    house.restart();
    house.until_typed("once\n");
    house.asked_for(&id, "idle");
    assert_eq!(house.typed("work").matches("once").count(), 1);
}

/// The same of a person who answers in the terminal itself while others are asked.
#[test]
fn what_is_done_by_hand_needs_no_answer() {
    let house = JobServer::new();
    let id = house.start(&agent(&["ask Overwrite? [y/n] ", "work 3000", "idle"], json!({})));
    let decision = house.asked_for(&id, "approval");
    house.type_by_hand(&id, "Overwrite?", "n\r");
    let job = house.until(&id, "a dismissal", |job| {
        job["decisions"].as_array().unwrap().iter().any(|one| one["status"] == "cancelled")
    });
    let old = job["decisions"].as_array().unwrap().iter().find(|one| one["id"] == decision["id"]).unwrap();
    assert_eq!(old["reason"], "auto-dismissed: agent became active");
    house.sandbox.run(&["answer", decision["id"].as_str().unwrap(), "approve"]).exits(4);
}
