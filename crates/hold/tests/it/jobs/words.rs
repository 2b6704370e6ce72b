//! Own words for an agent that shows a list: they are never entered into the list, where Enter takes what is marked.

use std::time::Instant;

use serde_json::{Value, json};

use super::{JobServer, agent};
use crate::process::TIMEOUT;

const LIST: &str = "question Which database?|Postgres|SQLite|Type something.|Chat about this";

/// Starts an agent that shows the list and wants this answer.
fn wants(house: &JobServer, answer: &str) -> (String, Value) {
    let steps = [LIST, &format!("want {answer}"), "exit 0"];
    let id = house.start(&agent(&steps, json!({"on_dead": [{"match": 0, "action": "done"}]})));
    let decision = house.asked_for(&id, "question");
    (id, decision)
}

#[test]
fn own_words_go_where_the_list_takes_them() {
    let house = JobServer::new();
    for words in ["neither of them", "use 2 replicas", "2"] {
        for flag in ["--text", "-m"] {
            let (id, decision) = wants(&house, words);
            house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), flag, words]);
            house.until_status(&id, "done");
        }
    }
}

#[test]
fn the_place_for_words_is_no_option_and_the_others_keep_their_numbers() {
    let house = JobServer::new();
    let (id, decision) = wants(&house, "Chat about this");
    let labels: Vec<&str> = decision["fields"][0]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["Postgres", "SQLite", "Chat about this"]);
    assert_eq!(decision["fields"][0]["custom"], true);
    house.answer(&decision, "3", &[]);
    house.until_status(&id, "done");
    assert_eq!(house.typed("work"), "4");
}

#[test]
fn a_list_without_a_place_for_words_is_left_first() {
    let house = JobServer::new();
    let steps = ["question Which database?|Postgres|SQLite", "want escape", "got", "idle"];
    for flag in ["--text", "-m"] {
        let id = house.start(&agent(&steps, json!({})));
        let decision = house.asked_for(&id, "question");
        house.sandbox.ok(&["answer", decision["id"].as_str().unwrap(), flag, "use 2 replicas"]);
        house.until_typed("\u{1b}use 2 replicas\n");
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
        std::fs::remove_file(house.path("work.keys")).unwrap();
    }
}

#[test]
fn words_for_an_agent_that_ends_at_once_are_for_the_next_one_too() {
    let house = JobServer::new();
    let run = "echo \"$HOLD_MESSAGE\" >> told; test -f fixed && exit 0; echo 'API Error: 401 authentication_error'; exit 1";
    let id = house.start(&json!({"run": run, "on_dead": [{"match": 0, "action": "done"}]}));
    let first = house.asked_for(&id, "error");
    house.answer(&first, "retry", &["-m", "sign in first"]);
    let next = |before: &serde_json::Value| {
        let job = house.until(&id, "another decision", |job| {
            job["status"] == "waiting" && job["waiting_for"] != before["id"]
        });
        house.sandbox.show(job["waiting_for"].as_str().unwrap())
    };
    let second = next(&first);
    std::fs::write(house.path("fixed"), "").unwrap();
    house.answer(&second, "retry", &[]);
    house.until_status(&id, "done");
    assert_eq!(std::fs::read_to_string(house.path("told")).unwrap(), "\nsign in first\nsign in first\n");
}

/// The step itself would be done: the agent exits with 0.
#[test]
fn a_person_hears_of_words_that_an_agent_did_not_read_before_it_ended() {
    let house = JobServer::new();
    let ends = json!({"on_dead": [{"match": 0, "action": "done"}]});
    let menu = "question Ready to code?|Yes, auto-accept edits|Yes, manually approve edits";
    let list = "question Which database?|Postgres|SQLite";
    for (steps, source, given, heard) in [
        (vec![menu, "want escape", "exit 0"], "plan", "revise", "was not typed: the agent has ended"),
        (vec![menu, "want escape", "delay 1500", "exit 0"], "plan", "revise", "probably not read"),
        (vec![list, "want escape", "delay 1500", "exit 0"], "question", "", "probably not read"),
    ] {
        let id = house.start(&agent(&steps, ends.clone()));
        let decision = house.asked_for(&id, source);
        let asked = decision["id"].as_str().unwrap();
        match given {
            "" => _ = house.sandbox.ok(&["answer", asked, "--text", "use 2 replicas"]),
            choice => house.answer(&decision, choice, &["-m", "use 2 replicas"]),
        }
        let told = house.asked_for(&id, "dead");
        let prompt = told["prompt"].as_str().unwrap();
        assert!(prompt.contains("\"use 2 replicas\"") && prompt.contains(heard), "{steps:?}: {prompt}");
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
    }
}

#[test]
fn words_for_a_job_whose_agent_asks_something_are_refused() {
    let house = JobServer::new();
    for (at, step) in ["ask Which port? ", "question Which?|A|B", "plan First this"].into_iter().enumerate() {
        let id = house.start(&agent(&[step, "got", "idle"], json!({})));
        let asked = house.asked(&id);
        let decision = asked["id"].as_str().unwrap();
        let hints = [decision, &format!("hold answer {decision}"), "--restart"];
        house.sandbox.refuses(&["job", "resume", &id, "-m", "go on then"], 4, &hints);
        house.sandbox.run(&["job", "resume", "--all", "-m", "go on then"]).exits(4);
        assert_eq!(house.sandbox.show(decision)["status"], "pending", "case {at}");
        assert!(!house.typed("work").contains("go on"), "{}", house.typed("work"));
        house.sandbox.ok(&["job", "cancel", &id]);
        house.until_status(&id, "cancelled");
    }
}

/// What a person dismissed still stands on the screen: words for the agent would be its answer.
#[test]
fn words_for_the_agent_are_not_the_answer_to_a_dismissed_question() {
    let house = JobServer::new();
    let asks = r#"printf '1) fast\n2) slow\nChoose [1-2]: '; read a; echo "got:$a" > got; read b"#;
    let id = house.start(&json!({"run": asks, "idle_after": "1s"}));
    let question = house.asked_for(&id, "question");
    house.answer(&question, "dismiss", &[]);
    house.sandbox.ok(&["job", "resume", &id, "-m", "no, leave it"]);
    let said = |one: &Value| {
        one["id"] != question["id"]
            && one["prompt"].as_str().unwrap().contains("\"no, leave it\" was not typed")
    };
    house.until(&id, "that somebody is told", |job| {
        job["decisions"].as_array().unwrap().iter().any(said) && job["status"] == "waiting"
    });
    assert!(!house.path("got").exists(), "nothing was typed");
}

/// A script that holds reads nothing: the next line it reads would be the words.
#[test]
fn words_for_a_script_that_holds_are_refused() {
    let house = JobServer::new();
    let hold = env!("CARGO_BIN_EXE_hold");
    let run =
        format!("{hold} ask 'Deploy?' -o yes:Yes -o no:No > said; read a; echo \"got:$a\" > got; read b");
    let id = house.start(&json!({"run": run, "idle_after": "1s"}));
    let deadline = Instant::now() + TIMEOUT;
    let asked = loop {
        let open = house.sandbox.json(&["list", "--json"]);
        if let Some(one) = open.as_array().unwrap().iter().find(|one| one["asked_by"] == id.as_str()) {
            break one["id"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < deadline, "nothing is asked: {open:#}");
    };
    let refused = house.sandbox.run(&["job", "resume", &id, "-m", "yes, go on"]);
    assert_eq!(refused.code, 4, "{}", refused.err);
    assert!(refused.err.contains(&format!("hold answer {asked}")), "{}", refused.err);
    house.sandbox.ok(&["answer", &asked, "no"]);
    house.sandbox.ok(&["job", "resume", &id, "-m", "go on"]);
    let got = || std::fs::read_to_string(house.path("got")).unwrap_or_default();
    while got() != "got:go on\n" {
        assert!(Instant::now() < deadline, "{:?}", got());
    }
}
