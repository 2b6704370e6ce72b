//! The inbox line by line: no cursor is moved, and what changes is said.

use serde_json::json;

use crate::sandbox::{HOLD, Sandbox, at};
use crate::server::Server;
use crate::terminal::{Colour, Terminal};

fn plain(sandbox: &Sandbox) -> Terminal {
    Terminal::sized(sandbox, HOLD, &["inbox", "--plain", "--by", "bo"], Colour::No, (24, 80))
}

#[test]
fn lines_open_pick_guide_and_quit() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (1..=3)
        .map(|n| {
            sandbox.ask(&[
                &format!("Question {n}?"),
                "-o",
                "a:First",
                "-o",
                "b:Second",
                "--requested-by",
                "agent-7",
            ])
        })
        .collect();
    let typed = "?\n9\n1\n2\nbecause\n2\ng\nthink again\n/question 3\n1\nu\n/\nq\n";
    let ran = sandbox.run_with(&["inbox", "--plain", "--by", "bo"], typed).exits(0);
    for words in [
        "3 pending.\n1. Question: Question 1? From \"agent-7\". Asked ",
        "NUMBER  open a decision",
        "No number \"9\" in the list",
        "1 ( ) First",
        "Picked: Second.",
        "Answered: Second.",
        "Opens round 2 of 3.",
        "Changes requested; round 2 is dcn-",
        "1 pending.\n1. Question: Question 3?",
    ] {
        assert!(ran.out.contains(words), "{words:?} is missing: {ran}");
    }
    assert!(!ran.out.contains('\u{1b}'), "{ran}");
    let first = sandbox.show(&ids[0]);
    at(&first, "/answer/values/choice", "b");
    at(&first, "/answer/message", "because");
    at(&first, "/answer/by", "bo");
    at(&sandbox.show(&ids[1]), "/status", "refined");
    at(&sandbox.show(&ids[2]), "/status", "pending");
}

#[test]
fn forms_are_filled_in_and_the_end_of_input_sends_nothing() {
    let sandbox = Sandbox::new();
    let form = json!({"prompt": "Release?", "source": "form", "fields": [
        {"id": "env", "kind": "choice", "label": "Where to?", "options": [{"id": "dev", "label": "Dev"}, {"id": "prod", "label": "Prod"}]},
        {"id": "day", "kind": "date", "label": "On which day?", "visible_if": {"field": "env", "op": "EQUALS", "value": "prod"}},
        {"id": "note", "kind": "text", "label": "A note?", "required": false}]});
    let id = sandbox.ask_document(&form);
    sandbox.run_with(&["inbox", "--plain"], "1\nf\nprod\n2026-02-28\n").exits(0);
    at(&sandbox.show(&id), "/status", "pending");
    let ran = sandbox.run_with(&["inbox", "--plain"], "1\nf\n9\nprod\nsoon\n2026-02-28\n\n\n").exits(0);
    assert!(ran.out.contains("out of range"), "{ran}");
    at(&sandbox.show(&id), "/answer/values", json!({"env": "prod", "day": "2026-02-28"}));
}

#[test]
fn what_happens_meanwhile_is_said() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask_a_or_b();
    let mut inbox = plain(&sandbox);
    inbox.until("1 pending.");
    inbox.until("inbox> ");
    sandbox.ask(&["Later?", "-o", "a:A"]);
    inbox.until("New: 2. Question: Later?");
    inbox.until("inbox> ");
    inbox.press("1\r");
    inbox.until("decision> ");
    sandbox.ok(&["answer", &first, "a", "--by", "cy"]);
    inbox.until("Settled: Which?");
    inbox.until("cy already answered: First. Nothing was sent.");
    inbox.press("2\r");
    inbox.until("Message");
    inbox.press("\r");
    inbox.until("cy already answered");
    inbox.press("u\r");
    inbox.until("inbox> ");
    inbox.press("2\r");
    inbox.until("decision> ");
    inbox.press("1\r");
    inbox.until("Picked: A.");
    inbox.press("\r");
    inbox.until("Answered: A.");
    inbox.press("q\r");
    assert_eq!(inbox.end(), 0);
    let addressed = ["\u{1b}[H", "\u{1b}[2J", "\u{1b}[?1049h", "\u{1b}[A", "\u{1b}[K"];
    assert!(addressed.iter().all(|code| !inbox.seen.contains(code)), "{:?}", inbox.seen);
    at(&sandbox.show(&first), "/answer/by", "cy");
}

#[test]
fn what_is_revised_meanwhile_is_said_and_read_again() {
    let server = Server::open();
    let away = Sandbox::new().with("HOLD_URL", &server.url());
    let id = away.ask_a_or_b();
    let mut inbox = plain(&away);
    inbox.until("inbox> ");
    inbox.press("1\r");
    inbox.until("decision> ");
    away.ok(&["revise", &id, "-o", "b:Erase it all", "-o", "a:Keep it"]);
    inbox.until("The agent changed this.");
    inbox.press("1\r");
    inbox.until("Message");
    inbox.press("\r");
    inbox.until("The agent changed this.");
    inbox.press("c\r");
    inbox.until("Keep it");
    inbox.until("decision> ");
    inbox.press("2\r");
    inbox.until("Picked: Keep it.");
    inbox.press("\r");
    inbox.until("Answered: Keep it.");
    inbox.press("q\r");
    assert_eq!(inbox.end(), 0);
    at(&away.show(&id), "/answer/values/choice", "a");
}

#[test]
fn what_was_answered_a_while_ago_is_offered_for_the_same_ask() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask_a_or_b();
    sandbox.run_with(&["inbox", "--plain"], "1\n2\n\n").exits(0);
    let given = sandbox.show(&first)["answer"]["values"].clone();
    let second = sandbox.ask_a_or_b();
    let ran = sandbox.run_with(&["inbox", "--plain"], "1\n").exits(0);
    assert!(ran.out.contains("You answered this ") && ran.out.contains("0 picks it again."), "{ran}");
    assert!(!ran.out.contains(&second), "the card shows no id: {ran}");
    at(&sandbox.show(&second), "/status", "pending");
    let ran = sandbox.run_with(&["inbox", "--plain"], "1\ni\n0\n\n").exits(0);
    assert!(ran.out.contains(&format!("Decision: {second}")), "{ran}");
    at(&sandbox.show(&second), "/answer/values", given);
}
