//! A plan that is sent back: with words, which reach the agent or are said not to have.

use serde_json::json;

use super::{House, agent};
use crate::sandbox::HOLD;
use crate::terminal::{Colour, Terminal};

#[test]
fn revise_asks_for_words() {
    let house = House::new();
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
    let house = House::new();
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
    assert_eq!(house.sandbox.show(plan["id"].as_str().unwrap())["context"], context);
}

/// An agent that takes a key without echo and leaves its menu where it was.
const LEAVES_ITS_MENU: &str = r#"printf 'Here is the plan:\nFirst this\n\nWould you like to proceed?\n> 1. Yes, auto-accept edits\n  2. Yes, manually approve edits\n  3. No, keep planning\n'
stty -echo -icanon; dd bs=1 count=1 2>/dev/null >> keys; stty icanon; read words; echo "$words" >> heard; sleep 1000"#;

#[test]
fn words_for_a_plan_that_stays_on_the_screen_are_heard_or_said_not_to_be() {
    let house = House::new();
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
