//! A plan that is sent back: with words, which reach the agent or are said not to have.

use serde_json::{Value, json};

use super::aim::asked_about;
use super::{JobServer, agent};
use crate::sandbox::HOLD;
use crate::terminal::{Colour, Terminal};

#[test]
fn revise_asks_for_words() {
    let house = JobServer::new();
    let id = house.start(&agent(&["plan First this, then that", "box", "got", "idle"], json!({})));
    let plan = house.asked_for(&id, "plan");
    let named = plan["id"].as_str().unwrap();
    house.sandbox.refuses(&["answer", named, "revise"], 1, &["what should be different"]);
    let digest = plan["digest"].as_str().unwrap();
    let resolve = ["oj", "decision", "resolve", named, "4", "--digest", digest];
    house.sandbox.refuses(&resolve, 1, &["what should be different"]);
    // Without words it asks again.
    let mut next = Terminal::sized(&house.sandbox, HOLD, &["next"], Colour::No, (60, 100));
    next.until("decision> ");
    next.press("4\r");
    next.until("What should be different?");
    next.press("\r");
    next.until("Nothing was sent");
    next.until("decision> ");
    next.press("q\r");
    next.until("Done. 0 answered, 0 skipped.");
    assert_eq!(next.end(), 0);
    let answer = ["answer", named, "revise", "--digest", digest];
    let mut terminal = Terminal::sized(&house.sandbox, HOLD, &answer, Colour::No, (24, 80));
    terminal.shows("What should be different?");
    terminal.press("tests first\r");
    assert_eq!(terminal.end(), 0);
    house.until_typed("tests first");
    assert_eq!(house.sandbox.show(named)["answer"]["message"], "tests first");
}

#[test]
fn what_stood_on_the_screen_before_a_plan_is_its_context() {
    let house = JobServer::new();
    let steps =
        ["line Reading the settings", "line Two servers were found", "plan First this, then that", "idle"];
    let id = house.start(&agent(&steps, json!({})));
    let plan = house.asked_for(&id, "plan");
    let subject = plan["subject"]["plan"].as_str().unwrap();
    assert!(subject.contains("First this, then that") && !subject.contains("servers"), "{subject}");
    assert_eq!(plan["title"], "Plan: First this, then that");
    let (shown, context) = plan["prompt"].as_str().unwrap().split_once("--- Agent Context ---\n").unwrap();
    assert!(!shown.contains("servers"), "{shown}");
    assert_eq!(context, "Reading the settings\nTwo servers were found");
    let named = plan["id"].as_str().unwrap();
    assert_eq!(house.sandbox.show(named)["context"], context);
    let card = house.sandbox.ok(&["oj", "decision", "show", named]);
    assert_eq!(card.matches("First this, then that").count(), 1, "{card}");
}

/// An agent that takes a key without echo and leaves its menu where it was.
const LEAVES_ITS_MENU: &str = r#"printf 'Here is the plan:\nFirst this\n\nWould you like to proceed?\n> 1. Yes, auto-accept edits\n  2. Yes, manually approve edits\n  3. No, keep planning\n'
stty -echo -icanon; dd bs=1 count=1 2>/dev/null >> keys; stty icanon; read words; echo "$words" >> heard; sleep 1000"#;

#[test]
fn words_for_a_plan_that_stays_on_the_screen_are_heard_or_said_not_to_be() {
    let house = JobServer::new();
    let id = house.start(&json!({"run": LEAVES_ITS_MENU, "idle_after": "1s"}));
    let plan = house.asked_for(&id, "plan");
    house.answer(&plan, "revise", &["-m", "tests first"]);
    let job = house
        .until(&id, "another decision", |job| job["status"] == "waiting" && job["waiting_for"] != plan["id"]);
    let asked = house.sandbox.show(job["waiting_for"].as_str().unwrap());
    let prompt = asked["prompt"].as_str().unwrap();
    assert!(prompt.contains("\"tests first\" was not typed"), "{asked:#}");
    assert!(!house.path("heard").exists());
}

/// Takes a key and leaves its menu, works, stops, and hears one thing more.
const GOES_ON: &str = r#"printf 'Here is the plan:\nFirst this\n\nWould you like to proceed?\n> 1. Yes, auto-accept edits\n  2. Yes, manually approve edits\n  3. No, keep planning\n'
stty -echo -icanon; dd bs=1 count=1 2>/dev/null >> keys; stty icanon; until test -f go; do sleep 0.1; done
echo 'Planned again, without advice.'; read words; echo "$words" >> heard; echo Heard.; read more; sleep 1000"#;

#[test]
fn a_restart_does_not_hide_that_words_were_not_typed() {
    let mut house = JobServer::new();
    let id = house.start(&json!({"run": GOES_ON, "idle_after": "1s"}));
    let plan = house.asked_for(&id, "plan");
    house.answer(&plan, "revise", &["-m", "tests first"]);
    asked_about(&house, &id, &["\"tests first\" was not typed"]);
    house.restart();
    std::fs::write(house.path("go"), "").unwrap();
    house.until(&id, "its next words", |_| house.sandbox.ok(&["job", "logs", &id]).contains("Planned again"));
    // The server may have seen the old menu once more.
    let idle = |one: &&Value| one["status"] == "pending" && one["source"] == "idle";
    let find = |job: &Value| job["decisions"].as_array().unwrap().iter().find(idle).cloned();
    let asked = find(&house.until(&id, "what next", |job| find(job).is_some())).unwrap();
    let prompt = asked["prompt"].as_str().unwrap();
    assert!(prompt.contains("\"tests first\" was not typed"), "{asked:#}");
    house.answer(&asked, "nudge", &["-m", "and now the tests"]);
    house.until(&id, "that it has heard", |_| house.path("heard").exists());
    let next = house.asked_for(&id, "idle");
    assert!(
        next["id"] != asked["id"] && !next["prompt"].as_str().unwrap().contains("was not typed"),
        "{next:#}"
    );
}

#[test]
fn what_says_that_words_were_not_typed_waits_for_the_person() {
    let house = JobServer::new();
    let steps = [
        "line Here is the plan:",
        "line 1. Cut the cable",
        "line ",
        "line Would you like to proceed?",
        "line ❯ 1. Yes, auto-accept edits",
        "line   2. Yes, manually approve edits",
        "line   3. No, keep planning",
        "key ",
        "deaf",
    ];
    let id = house.start(&agent(&steps, json!({})));
    house.answer(&house.asked_for(&id, "plan"), "revise", &["-m", "tests first"]);
    let asked = asked_about(&house, &id, &["\"tests first\" was not typed"]);
    // The agent is seen not to wait for input long before this.
    house.sandbox.run(&["wait", asked["id"].as_str().unwrap(), "--timeout", "2s"]).exits(5);
}

#[test]
fn a_plan_is_accepted_by_the_labels_of_the_menu_and_not_by_its_places() {
    let house = JobServer::new();
    let id = house.start(&json!({"run": LEAVES_ITS_MENU, "idle_after": "1s"}));
    let plan = house.asked_for(&id, "plan");
    let (named, digest) = (plan["id"].as_str().unwrap(), plan["digest"].as_str().unwrap());
    // At that place the menu has another one, and at the last one its no.
    let shown = house.sandbox.ok(&["oj", "decision", "show", named]);
    assert!(shown.contains("1. Accept (clear context) - The agent's menu does not offer this"), "{shown}");
    assert!(shown.contains("2. Accept (auto edits) (recommended)"), "{shown}");
    let clear = ["answer", named, "accept_clear", "--digest", digest];
    house.sandbox.refuses(&clear, 1, &["does not offer this; it offers: \"Yes, auto-accept edits\""]);
    assert_eq!(house.sandbox.show(named)["status"], "pending");
    house.answer(&plan, "accept_manual", &[]);
    let deadline = std::time::Instant::now() + crate::process::TIMEOUT;
    while std::fs::read_to_string(house.path("keys")).unwrap_or_default().is_empty() {
        assert!(std::time::Instant::now() < deadline);
    }
    assert_eq!(std::fs::read_to_string(house.path("keys")).unwrap(), "2");
}
