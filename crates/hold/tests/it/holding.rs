//! Holding: one process asks, another answers, the first is woken. Every way that can end has its exit code.

use crate::process::Stream;
use crate::sandbox::{Sandbox, at};
use rustix::process::Signal;
use serde_json::json;

#[test]
fn an_answer_in_one_process_wakes_the_other() {
    let sandbox = Sandbox::new();
    let mut agent =
        sandbox.spawn(&["ask", "Which cache?", "-o", "redis:Use Redis", "-o", "memory:In-memory"]);
    let id = agent.holding();
    sandbox
        .run(&["answer", &id, "redis", "-m", "we run one"])
        .exits(0)
        .prints(&format!("Answered {id}: redis"));
    let ran = agent.end().exits(0).prints("redis");
    assert!(ran.err.contains(&format!("hold answer {id}")), "{ran}");
    assert!(ran.err.contains("ana: we run one"), "the message goes to standard error: {ran}");
    assert!(!ran.err.contains('\u{1b}') && !ran.err.contains('⠋'), "no spinner without a terminal: {ran}");
}

#[test]
fn wait_in_a_third_process_is_woken_too() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Go?", "--kind", "confirm"]);
    let id = agent.holding();
    let waiting = sandbox.spawn(&["wait", &id[4..8], "--json"]);
    sandbox.ok(&["answer", &id, "yes"]);
    agent.end().exits(0).prints("yes");
    let ran = waiting.end().exits(0);
    at(&ran.json(), "/answer/values/choice", "yes");
    assert_eq!(ran.err, "");
}

#[test]
fn a_no_exits_8_and_an_out_too() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Deploy?", "--kind", "confirm"]);
    let id = agent.holding();
    sandbox.ok(&["answer", &id, "no"]);
    agent.end().exits(8).prints("no");

    let id = sandbox.ask_document(&json!({
        "prompt": "Go on?", "fields": [{"id": "f", "kind": "choice", "label": "Go on?", "options": [{"id": "a", "label": "A"}]}],
        "outs": [{"id": "dismiss", "label": "Dismiss"}],
    }));
    sandbox.ok(&["answer", &id, "dismiss"]);
    sandbox.run(&["wait", &id]).exits(8).prints("dismiss");
}

#[test]
fn shell_and_never_goes_on_after_a_no() {
    let sandbox = Sandbox::new();
    sandbox.link("hold");
    let line = "hold ask 'Deploy?' --kind confirm --key d && echo deployed";
    let id = sandbox.ask(&["Deploy?", "--kind", "confirm", "--key", "d"]);
    sandbox.ok(&["answer", &id, "no"]);
    sandbox.shell(line).exits(8).prints("no");
}

#[test]
fn a_reader_that_goes_away_makes_no_yes_of_a_no() {
    let sandbox = Sandbox::new();
    let outcome = |arguments: &[&str], answer: &[&str]| {
        let id = sandbox.ask(arguments);
        sandbox.ok(&[&["answer", &id], answer].concat());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        sandbox.command(&["wait", &id]).stdout(writer).status().unwrap().code()
    };
    let confirm = ["Go?", "--kind", "confirm"];
    assert_eq!(outcome(&confirm, &["no"]), Some(8));
    assert_eq!(outcome(&confirm, &["--guidance", "think"]), Some(7));
    assert_eq!(outcome(&confirm, &["yes"]), Some(0));
}

#[test]
fn a_question_answered_before_is_not_held_on() {
    let sandbox = Sandbox::new();
    let ask = ["ask", "Which?", "-o", "a:A", "-o", "b:B", "--key", "k"];
    let id = sandbox.ok(&[&ask[..], &["--no-wait"]].concat());
    sandbox.ok(&["revise", &id, "-o", "b:B", "-o", "c:C", "--default", "c"]);
    at(&sandbox.show(&id), "/default", json!({"choice": "c"}));
    sandbox.ok(&["answer", &id, "b"]);
    let ran = sandbox.run(&ask).exits(0).prints("b");
    assert_eq!(ran.err, "");
}

#[test]
fn expected_options_exit_0_others_8() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "b"]);
    sandbox.run(&["wait", &id, "--expect", "b"]).exits(0).prints("b");
    sandbox.run(&["wait", &id, "--expect", "a", "--expect", "b"]).exits(0);
    sandbox.run(&["wait", &id, "--expect", "a"]).exits(8).prints("b");
    // A no that was expected is what was wanted.
    let id = sandbox.ask(&["Sure?", "--kind", "confirm"]);
    sandbox.ok(&["answer", &id, "no"]);
    sandbox.run(&["wait", &id, "--expect", "no"]).exits(0);
    // Of several choices all must be expected.
    let id = sandbox.ask(&["Which?", "--kind", "choices", "-o", "x:X", "-o", "y:Y"]);
    sandbox.ok(&["answer", &id, "x", "y"]);
    sandbox.run(&["wait", &id, "--expect", "x"]).exits(8).prints(r#"{"choice":["x","y"]}"#);
    sandbox.run(&["wait", &id, "--expect", "x", "--expect", "y"]).exits(0);
}

#[test]
fn ask_takes_expect_too() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "-o", "b:B", "--expect", "a"]);
    let id = agent.holding();
    sandbox.ok(&["answer", &id, "b"]);
    agent.end().exits(8).prints("b");
}

#[test]
fn ctrl_c_leaves_it_pending_and_says_how_to_go_on() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Q?"]);
    let id = agent.holding();
    agent.signal(Signal::INT);
    let resume = format!("{id} is still pending. Resume with: hold wait {id}");
    agent.end().exits(5).prints("").says(&resume);
    at(&sandbox.show(&id), "/status", "pending");

    let id = id.as_str();
    for arguments in [&["wait", id][..], &["wait", id, "--json"]] {
        let mut agent = sandbox.spawn(arguments);
        agent.listening();
        agent.signal(Signal::INT);
        agent.end().exits(5).prints("").says(&resume);
    }
    assert_eq!(sandbox.tags(), ["decision:created"]);
    let going_on = sandbox.spawn(&["wait", id]);
    sandbox.ok(&["answer", id, "--text", "late but fine"]);
    going_on.end().exits(0);
}

#[test]
fn a_wait_that_gives_up_exits_5() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let ran = sandbox.run(&["wait", &id, "--timeout", "30ms"]).exits(5).prints("");
    assert!(ran.err.contains(&format!("hold wait {id}")), "{ran}");
    at(&sandbox.run(&["wait", &id, "--timeout", "1ms", "--json"]).exits(5).json(), "/status", "pending");
    assert_eq!(sandbox.tags(), ["decision:created"]);
}

#[test]
fn guidance_exits_7_and_prints_the_next_round() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "-o", "b:B", "--timeout", "1h"]);
    let id = agent.holding();
    let said = sandbox.ok(&["answer", &id, "--guidance", "think of the memory limit"]);
    let ran = agent.end().exits(7);
    let next = ran.out.trim().to_owned();
    assert!(ran.err.contains("Guidance: think of the memory limit"), "{ran}");
    assert!(said.contains(&next) && said.contains("round 2"), "{said}");
    let (old, new) = (sandbox.show(&id), sandbox.show(&next));
    at(&old, "/status", "refined");
    at(&old, "/next", next.as_str());
    at(&old, "/answer/values", json!({}));
    at(&old, "/answer/message", "think of the memory limit");
    at(&new, "/status", "pending");
    at(&new, "/prior", id.as_str());
    at(&new, "/iteration", 2);
    at(&new, "/guidance", "think of the memory limit");
    assert_ne!(new["deadline"], old["deadline"], "the timeout starts over");
    sandbox.refuses(&["answer", &id, "a"], 4, &[&id, "refined", &next]);
}

#[test]
fn follow_holds_through_rounds_and_revisions() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "-o", "b:B", "--follow", "--expect", "c"]);
    let first = agent.holding();
    sandbox.ok(&["answer", &first, "--guidance", "neither"]);
    let line = agent.until(Stream::Err, "next round");
    let second = line
        .split_whitespace()
        .find(|word| word.starts_with("dcn-"))
        .unwrap()
        .trim_end_matches('.')
        .to_owned();
    let before = sandbox.show(&second);
    sandbox.run(&["revise", &second, "-o", "c:C", "-o", "d:D"]).exits(0).prints(&format!("Revised {second}"));
    let after = sandbox.show(&second);
    assert_ne!(before["digest"], after["digest"]);
    at(&after, "/fields/0/options/2/id", "_accept");
    sandbox.ok(&["answer", &second, "--guidance", "closer"]);
    let line = agent.until(Stream::Err, "next round");
    let third = line
        .split_whitespace()
        .find(|word| word.starts_with("dcn-"))
        .unwrap()
        .trim_end_matches('.')
        .to_owned();
    sandbox.refuses(&["answer", &third, "--guidance", "again"], 4, &["round 3 of 3", "no further guidance"]);
    sandbox.ok(&["answer", &third, "c"]);
    agent.end().exits(0).prints("c");
    assert_eq!(
        sandbox.tags(),
        [
            "decision:created",
            "decision:refined",
            "decision:created",
            "decision:revised",
            "decision:refined",
            "decision:created",
            "decision:resolved"
        ]
    );
}

#[test]
fn accept_is_offered_from_the_second_round() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.refuses(&["answer", &id, "_accept"], 1, &["_accept", "a, b"]);
    sandbox.ok(&["answer", &id, "--guidance", "use both"]);
    let next = sandbox.show(&id)["next"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &next, "_accept"]);
    sandbox.run(&["wait", &next]).exits(0).prints("_accept");
}

#[test]
fn a_cancelled_decision_exits_6() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Q?"]);
    let id = agent.holding();
    sandbox.run(&["cancel", &id, "--reason", "not needed"]).exits(0).prints(&format!("Cancelled {id}"));
    let ran = agent.end().exits(6).prints("");
    assert!(ran.err.contains("cancelled: not needed"), "{ran}");
    sandbox.refuses(&["answer", &id, "--text", "x"], 4, &["cancelled"]);
    at(&sandbox.json(&["list", "--status", "cancelled", "--json"]), "/0/id", id.as_str());
    let other = sandbox.ask_a_or_b();
    at(&sandbox.json(&["cancel", &other, "--json"]), "/status", "cancelled");
}

#[test]
fn a_superseded_decision_exits_6_and_names_the_newer() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Old?", "--owner", "job:build", "--requested-by", "a1"]);
    let old = agent.holding();
    let other = sandbox.ask(&["Other?", "--owner", "job:build", "--requested-by", "a2"]);
    let new = sandbox.ask(&["New?", "--owner", "job:build", "--requested-by", "a1"]);
    let ran = agent.end().exits(6).prints("");
    assert!(ran.err.contains(&new), "{ran}");
    at(&sandbox.show(&old), "/superseded_by", new.as_str());
    at(&sandbox.show(&other), "/status", "pending");
}

#[test]
fn a_removed_decision_exits_6() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Q?", "--owner", "item:x"]);
    let id = agent.holding();
    sandbox.run(&["item", "delete", "x"]).exits(0).prints("Deleted x and 1 decision on it");
    let ran = agent.end().exits(6).prints("");
    assert!(ran.err.contains(&id) && ran.err.contains("removed"), "{ran}");
}

#[test]
fn json_prints_the_whole_resource_whatever_came() {
    let sandbox = Sandbox::new();
    let mut agent = sandbox.spawn(&["ask", "Which?", "-o", "a:A", "--json", "--requested-by", "x"]);
    let id = agent.holding();
    sandbox.ok(&["answer", &id, "a"]);
    let decision = agent.end().exits(0).json();
    at(&decision, "/id", id.as_str());
    at(&decision, "/answer/values/choice", "a");
    at(&decision, "/answer/auth", "claimed");
    at(&decision, "/answer/via", "cli");
    at(&decision, "/answer/by", "ana");
}
