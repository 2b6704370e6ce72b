//! One numbering at every door: what the event that created a decision lists.

use serde_json::Value;

use crate::browser::Served;
use crate::oj::escalate;
use crate::sandbox::{HOLD, Sandbox, at};
use crate::terminal::{Colour, Terminal};

const ONE: &str = r#"[{"question":"Which?","header":"Pick","options":["Red","Green"]}]"#;

fn asked(sandbox: &Sandbox) -> String {
    escalate(sandbox, "question", ["--job", "j"], &["--questions", ONE])
}

/// Lists label and number of what can be chosen, as an event has them.
fn numbers(event: &Value) -> Vec<(String, u64)> {
    let option =
        |option: &Value| (option["label"].as_str().unwrap().to_owned(), option["number"].as_u64().unwrap());
    event["options"].as_array().unwrap().iter().map(option).collect()
}

#[test]
fn numbers_are_those_of_the_event_at_every_door() {
    let sandbox = Sandbox::new();
    sandbox.settings("[hooks]\ndesktop = false\n");
    let id = asked(&sandbox);
    let event = sandbox.log().into_iter().find(|event| event["type"] == "decision:created").unwrap();
    let listed = numbers(&event);
    let expected = [("Red", 1), ("Green", 2), ("Other", 3), ("Cancel", 4), ("Dismiss", 5)];
    assert_eq!(listed, expected.map(|(label, number)| (label.to_owned(), number)));
    assert_eq!(numbers(&sandbox.json(&["oj", "decision", "show", &id, "-o", "json"])), listed);
    let card = sandbox.ok(&["show", &id]);
    for line in ["  1. red", "  2. green", "  3. or your own words", "  4. cancel", "  5. dismiss"] {
        assert!(card.contains(line), "{line}: {card}");
    }
    let server = Served::start(&sandbox, &["--no-auth"]);
    let page = server.browser().get(&format!("/d/{id}")).is(200).text;
    for (value, number) in [("red", 1), ("green", 2), ("cancel", 4), ("dismiss", 5)] {
        let control = page.split(&format!("value=\"{value}\"")).nth(1).unwrap();
        let number = format!("data-number=\"{number}\"");
        assert!(control.split('>').next().unwrap().contains(&number), "{value} {number}: {page}");
    }
    assert!(
        page.split("-pick\" type=\"radio\"")
            .nth(1)
            .unwrap()
            .split('>')
            .next()
            .unwrap()
            .contains("data-number=\"3\"")
    );
}

#[test]
fn a_number_means_the_same_to_hold_and_oj() {
    for (number, out) in [("4", "cancel"), ("5", "dismiss")] {
        let sandbox = Sandbox::new();
        for resolve in [&["answer"][..], &["oj", "decision", "resolve"]] {
            let id = asked(&sandbox);
            sandbox.run(&[resolve, &[&id, number]].concat()).exits(0);
            at(&sandbox.show(&id), "/answer/out", out);
            let resolved =
                sandbox.log().into_iter().rfind(|event| event["type"] == "decision:resolved").unwrap();
            at(&resolved, "/choices/0", number.parse::<u64>().unwrap());
        }
    }
    let sandbox = Sandbox::new();
    let id = asked(&sandbox);
    sandbox.refuses(&["answer", &id, "3"], 1, &["choice 3 is your own words: --text"]);
    sandbox.refuses(&["answer", &id, "6"], 1, &["choice 6 is out of range (1..5)"]);
    sandbox.ok(&["answer", &id, "3", "--text", "Blue"]);
    at(&sandbox.show(&id), "/answer/values/choice/text", "Blue");
    // What was chosen is named as the options are.
    let logged = |tag: &str| sandbox.log().into_iter().find(|event| event["type"] == tag).unwrap();
    let (created, resolved) = (logged("decision:created"), logged("decision:resolved"));
    let other = created["options"].as_array().unwrap().iter().find(|option| option["number"] == 3).unwrap();
    assert_eq!((&other["id"], &resolved["message"]), (&resolved["chosen"], &"Blue".into()));
}

#[test]
fn what_accepts_the_proposal_comes_last_everywhere() {
    let sandbox = Sandbox::new();
    let id = sandbox.ok(&["bd", "decision", "create", "bd-1", "-p", "Q?", "--option", "a:A", "--json"]);
    let id = serde_json::from_str::<serde_json::Value>(&id).unwrap()["id"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "--guidance", "hm"]);
    let next = sandbox.show(&id)["next"].as_str().unwrap().to_owned();
    let plain = sandbox.run_with(&["inbox", "--plain"], "1\nq\nq\n").exits(0).out;
    sandbox.settings("[hooks]\ndesktop = false\n");
    let server = Served::start(&sandbox, &["--no-auth"]);
    let page = server.browser().get(&format!("/d/{next}")).is(200).text;
    for text in [sandbox.ok(&["show", &next]), plain, page] {
        let at = |words: &str| text.to_lowercase().find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(at("your own words") < at("accept the proposal"), "{text}");
    }
}

#[test]
fn in_next_and_the_inbox_the_number_of_own_words_asks_for_them() {
    let sandbox = Sandbox::new();
    let id = asked(&sandbox);
    let mut next = Terminal::start(&sandbox, &["next"]);
    next.until("decision> ");
    next.press("3\r");
    next.until("In your own words");
    next.press("Blue\r");
    next.until("Done. 1 answered");
    assert_eq!(next.end(), 0);
    at(&sandbox.show(&id), "/answer/values/choice/text", "Blue");
    let id = asked(&sandbox);
    let mut inbox = Terminal::sized(&sandbox, HOLD, &["inbox"], Colour::No, (40, 100));
    inbox.shows("1 pending decision");
    inbox.insist("\r", "3 ( ) In your own words");
    inbox.shows("4 Cancel").shows("5 Dismiss");
    inbox.insist("5", "> 5 Dismiss");
    inbox.press("\r");
    inbox.shows("Nothing is waiting");
    inbox.press("q");
    assert_eq!(inbox.end(), 0);
    at(&sandbox.show(&id), "/answer/out", "dismiss");
}

#[test]
fn own_words_for_two_questions_are_two_choices() {
    let sandbox = Sandbox::new();
    let options = r#""options":[{"label":"x"},{"label":"y"}]"#;
    let questions = format!(r#"[{{"question":"A?",{options}}},{{"question":"B?",{options}}}]"#);
    let ask =
        ["oj", "decision", "create", "--source", "question", "--job", "j", "--context", "c", "--questions"];
    for typed in [&["3", "3", "-m", "own"][..], &["-m", "own"]] {
        let id = sandbox.ok(&[&ask[..], &[&questions]].concat());
        sandbox.ok(&[&["oj", "decision", "resolve", &id], typed].concat());
        let resolved = sandbox.log().into_iter().rfind(|event| event["type"] == "decision:resolved").unwrap();
        assert_eq!(resolved["chosen"].as_array().unwrap().len(), 2, "{resolved}");
        assert_eq!(resolved["choices"], serde_json::json!([5, 5]), "{resolved}");
    }
}
