//! What a person meets at a terminal: single keys, forms, a spinner, colour, tables that fit.

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use crate::sandbox::{HOLD, Sandbox, at};
use crate::terminal::{Colour, Terminal};

/// What ends the line that asks for a key.
const ASKS: &str = "? help] ";

#[test]
fn next_asks_one_after_the_other() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (1..=3)
        .map(|n| sandbox.ask(&[&format!("Question {n}?"), "-o", "a:First", "-o", "b:Second"]))
        .collect();
    let mut next = Terminal::start(&sandbox, &["next", "--by", "bo"]);
    next.until("3 pending.");
    next.until("Question 1?");
    next.until("decision> ");
    next.press("?\r");
    next.until("NUMBER  pick an option");
    next.press("2\r");
    next.until("Message");
    next.press("because\r");
    next.until("Answered: Second.");
    next.until("Question 2?");
    next.until("decision> ");
    let later = sandbox.ask(&["Later?", "-o", "a:First", "--priority", "urgent"]);
    next.until("New: Later?");
    next.press("n\r");
    // What came meanwhile presses more than the third.
    next.until("Later?");
    next.until("decision> ");
    next.press("q\r");
    next.until("Done. 1 answered, 1 skipped.");
    assert_eq!(next.end(), 0);
    let first = sandbox.show(&ids[0]);
    at(&first, "/answer/values/choice", "b");
    at(&first, "/answer/message", "because");
    at(&first, "/answer/by", "bo");
    for id in [&ids[1], &ids[2], &later] {
        at(&sandbox.show(id), "/status", "pending");
    }
}

#[test]
fn lines_typed_before_a_question_is_shown_do_not_answer_it() {
    let sandbox = Sandbox::new();
    let ids = ["One?", "Two?"].map(|words| sandbox.ask(&[words, "-o", "a:A", "-o", "b:B"]));
    let mut next = Terminal::start(&sandbox, &["next"]);
    next.until("decision> ");
    next.press("n\r1\r\r");
    next.until("Two?");
    next.until("decision> ");
    next.press("q\r");
    next.until("Done. 0 answered, 1 skipped.");
    assert_eq!(next.end(), 0);
    for id in ids {
        at(&sandbox.show(&id), "/status", "pending");
    }
}

#[test]
fn the_end_of_lines_quits_and_the_terminal_is_left_as_it_was() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    for key in ["q\r", "\u{4}"] {
        let script = format!("{HOLD} next; stty -a");
        let mut shell = Terminal::program(&sandbox, "sh", &["-c", &script], Colour::No);
        shell.until("decision> ");
        shell.press(key);
        shell.until("Done. 0 answered, 0 skipped.");
        assert_eq!(shell.end(), 0);
        let modes = shell.text();
        let set: Vec<&str> = modes.split_whitespace().collect();
        assert!(["icanon", "echo", "opost", "isig"].iter().all(|mode| set.contains(mode)), "{modes}");
    }
}

#[test]
fn oj_review_counts_other_and_asks_for_words() {
    let sandbox = Sandbox::new();
    #[rustfmt::skip]
    let id = sandbox.ok(&[
        "oj", "decision", "create", "--source", "question", "--job", "j", "--context", "Drink?", "--option", "Tea",
    ]);
    let mut review = Terminal::start(&sandbox, &["oj", "decision", "review"]);
    review.until("2. Other");
    review.until(ASKS);
    review.press("2\r");
    review.until("Message");
    review.press("Water\r");
    review.until("Done. 1 resolved, 0 skipped.");
    assert_eq!(review.end(), 0);
    at(&sandbox.show(&id), "/answer/values", json!({"choice": {"text": "Water"}}));
}

fn form() -> Value {
    json!({"prompt": "Release?", "source": "form", "outs": [{"id": "cancel", "label": "Cancel"}], "fields": [
        {"id": "env", "kind": "choice", "label": "Where to?", "options": [{"id": "dev", "label": "Dev"}, {"id": "prod", "label": "Prod"}]},
        {"id": "day", "kind": "date", "label": "On which day?", "visible_if": {"field": "env", "op": "EQUALS", "value": "prod"}},
        {"id": "note", "kind": "text", "label": "A note?", "required": false},
    ]})
}

#[test]
fn a_form_is_filled_in_field_by_field() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&form());
    let mut answer = Terminal::start(&sandbox, &["answer", &id]);
    answer.until("Release?");
    answer.until("Where to?");
    answer.until("env [number or id]: ");
    answer.press("5\r");
    answer.until("out of range (1..2)");
    answer.until("env [number or id]: ");
    answer.press("2\r");
    answer.until("day [date]: ");
    answer.press("2026-02-30\r");
    answer.until("2026-02-30");
    answer.until("day [date]: ");
    answer.press("2026-02-28\r");
    answer.until("note [text, Enter to leave out]: ");
    answer.press("\r");
    answer.until("Message");
    answer.press("go\r");
    answer.until("Answered");
    assert_eq!(answer.end(), 0);
    let decision = sandbox.show(&id);
    at(&decision, "/answer/values", json!({"env": "prod", "day": "2026-02-28"}));
    at(&decision, "/answer/message", "go");
}

#[test]
fn hidden_fields_are_not_asked_and_outs_are_taken_instead() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&form());
    let mut answer = Terminal::start(&sandbox, &["answer", &id]);
    answer.until("env [number or id]: ");
    answer.press("dev\r");
    answer.until("note [text, Enter to leave out]: ");
    answer.press("fine\r");
    answer.until("Message");
    answer.press("\r");
    assert_eq!(answer.end(), 0);
    assert!(!answer.text().contains("day ["), "{}", answer.text());
    at(&sandbox.show(&id), "/answer/values", json!({"env": "dev", "note": "fine"}));

    let id = sandbox.ask_document(&form());
    let mut answer = Terminal::start(&sandbox, &["answer", &id]);
    answer.until("Instead of answering: cancel");
    answer.until("env [number or id]: ");
    answer.press("cancel\r");
    assert_eq!(answer.end(), 0);
    at(&sandbox.show(&id), "/answer/out", "cancel");

    // Ctrl-D stops without sending.
    let id = sandbox.ask_document(&form());
    let mut answer = Terminal::start(&sandbox, &["answer", &id]);
    answer.until("env [number or id]: ");
    answer.press("\u{4}");
    answer.until("still pending");
    assert_eq!(answer.end(), 5);
    at(&sandbox.show(&id), "/status", "pending");
}

#[test]
fn a_spinner_shows_how_long_it_holds() {
    let sandbox = Sandbox::new();
    let mut agent = Terminal::start(&sandbox, &["ask", "Which?", "-o", "a:A"]);
    agent.until("Holding on ");
    agent.until("holding on dcn-");
    agent.until(" for ");
    agent.until("1s");
    let id = sandbox.json(&["list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "a"]);
    assert_eq!(agent.end(), 0);
    assert!(
        agent.seen.ends_with("\r\u{1b}[2Ka\r\n"),
        "the spinner is wiped before the answer: {:?}",
        agent.seen
    );
}

#[test]
fn ctrl_c_on_the_keyboard_stops_holding() {
    let sandbox = Sandbox::new();
    let mut agent = Terminal::start(&sandbox, &["ask", "Which?", "-o", "a:A"]);
    agent.until("holding on dcn-");
    agent.press("\u{3}");
    agent.until("is still pending. Resume with: hold wait dcn-");
    assert_eq!(agent.end(), 5);
}

#[test]
fn tables_fit_the_terminal() {
    let sandbox = Sandbox::new();
    let long =
        "A rather long question, the kind that nobody would want to read twice, about 日本語 and more. "
            .repeat(3);
    #[rustfmt::skip]
    sandbox.ask(&[
        &long, "--project", "a-project-with-quite-a-long-name", "--requested-by", "an-agent-with-quite-a-long-name",
        "--timeout", "3d", "-o", "a:A",
    ]);
    sandbox.ask(&["Short?", "--owner", "item:bd-1"]);
    sandbox.ok(&[
        "oj",
        "decision",
        "create",
        "--source",
        "idle",
        "--job",
        "a-job-with-quite-a-long-name",
        "--context",
        &long,
    ]);
    sandbox.ok(&["bd", "decision", "create", "bd-2", "--prompt", &long, "--option", "a:A"]);
    let ids: Vec<String> = sandbox
        .json(&["list", "--json"])
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["id"].as_str().unwrap().to_owned())
        .collect();
    for arguments in [
        &["list"][..],
        &["list", "--status", "all"],
        &["oj", "decision", "list"],
        &["bd", "decision", "list"],
        &["item", "list"],
        &["project", "list"],
    ] {
        let mut terminal = Terminal::start(&sandbox, arguments);
        assert_eq!(terminal.end(), 0);
        let text = terminal.text();
        assert!(text.lines().count() > 1, "{text}");
        for line in text.lines() {
            assert!(line.width() <= 80, "{arguments:?}: {} columns: {line:?}\n{text}", line.width());
        }
        if arguments[0] == "list" {
            assert!(ids.iter().all(|id| text.contains(id)), "ids are never cut:\n{text}");
        }
    }
}

#[test]
fn colour_is_used_on_a_terminal_and_never_the_only_signal() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let shown = |arguments: &[&str], colour: Colour| {
        let mut terminal = Terminal::program(&sandbox, HOLD, arguments, colour);
        terminal.end();
        terminal
    };
    for arguments in [&["list"][..], &["show", &id], &["log"], &["show", "zzzz"]] {
        let (with, without) = (shown(arguments, Colour::Yes), shown(arguments, Colour::No));
        assert!(with.seen.contains("\u{1b}["), "{:?}", with.seen);
        assert!(!without.seen.contains('\u{1b}'), "{:?}", without.seen);
        let digits = |text: String| text.replace(|c: char| c.is_ascii_digit(), "");
        assert_eq!(digits(with.text()), digits(without.text()), "the same words with and without");
    }
    // The part of the id that suffices stands out.
    let list = shown(&["list"], Colour::Yes);
    let first = &id[4..5];
    assert!(list.seen.contains(&format!("m{first}\u{1b}[0m")), "{:?}", list.seen);
}

#[test]
fn hostile_text_is_inert_on_a_terminal_too() {
    let sandbox = Sandbox::new();
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\u{9b}31m \u{202e}live\u{202c}\r\u{8}[1-2 picks]";
    let document = json!({
        "prompt": hostile, "title": hostile,
        "fields": [{"id": "f", "kind": "choice", "label": hostile, "options": [{"id": "a", "label": hostile}, {"id": "b", "label": "B"}]}],
    });
    let id = sandbox.ask_document(&document);
    let inert = |text: &str| !text.contains(['\u{1b}', '\u{7}', '\u{8}', '\u{9b}', '\u{202e}', '\u{202c}']);
    for arguments in [&["show", &id][..], &["list"], &["log"], &["oj", "decision", "show", &id]] {
        let mut terminal = Terminal::start(&sandbox, arguments);
        assert_eq!(terminal.end(), 0);
        assert!(inert(&terminal.seen), "{arguments:?}: {:?}", terminal.seen);
        assert!(terminal.seen.contains("<U+001B>"), "{arguments:?}: {:?}", terminal.seen);
    }
    let mut next = Terminal::start(&sandbox, &["next"]);
    next.until("decision> ");
    assert!(inert(&next.seen), "{:?}", next.seen);
    next.press("q\r");
    assert_eq!(next.end(), 0);
    let mut answer = Terminal::start(&sandbox, &["answer", &id]);
    answer.until("f [number or id]: ");
    assert!(inert(&answer.seen), "{:?}", answer.seen);
    answer.press("\u{4}");
    answer.end();
}

#[test]
fn json_is_indented_for_people() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let mut terminal = Terminal::start(&sandbox, &["show", &id, "--json"]);
    assert_eq!(terminal.end(), 0);
    assert!(terminal.text().contains("\n  \"id\": \"dcn-"), "{}", terminal.text());
}
