//! What is printed: data on standard output, all else on standard error; JSON with every key; ids by prefix.

use crate::sandbox::{Sandbox, at};
use crate::server::Server;
use serde_json::{Value, json};

/// Every key of a decision; null where empty.
const KEYS: [&str; 32] = [
    "id",
    "project",
    "status",
    "source",
    "title",
    "prompt",
    "fields",
    "outs",
    "owner",
    "requested_by",
    "asked_by",
    "assignees",
    "priority",
    "iteration",
    "max_iterations",
    "prior",
    "next",
    "guidance",
    "default",
    "deadline",
    "on_timeout",
    "draft",
    "subject",
    "subject_digest",
    "digest",
    "origin",
    "created_at",
    "settled_at",
    "superseded_by",
    "consumed_at",
    "answer",
    "reason",
];

#[test]
fn json_has_every_key_and_null_where_empty() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    for settled in [false, true] {
        if settled {
            sandbox.ok(&["answer", &id, "a"]);
        }
        let decision = sandbox.show(&id);
        let object = decision.as_object().unwrap();
        for key in KEYS {
            assert!(object.contains_key(key), "{key} is missing: {decision}");
        }
        let unknown: Vec<_> = object.keys().filter(|key| !KEYS.contains(&key.as_str())).collect();
        assert!(unknown.is_empty(), "not in the contract: {unknown:?}");
        at(&decision, "/priority", "normal");
        at(&decision, "/outs", json!([]));
        at(&decision, "/draft", json!({}));
        at(&decision, "/owner", Value::Null);
        assert!(decision["digest"].as_str().unwrap().starts_with("sha256:"));
        assert!(decision["created_at"].as_str().unwrap().ends_with('Z'));
    }
    let answer = sandbox.show(&id)["answer"].clone();
    let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for key in ["values", "out", "message", "by", "via", "auth", "at"] {
        assert!(keys.contains(&key), "{key} is missing: {answer}");
    }
    let option = &sandbox.show(&id)["fields"][0]["options"][0];
    assert_eq!(option, &json!({"id": "a", "label": "First"}), "options show what they have, and no more");
}

#[test]
fn list_json_is_always_an_array() {
    let sandbox = Sandbox::new();
    sandbox.run(&["list", "--json"]).exits(0).prints("[]");
    let ran = sandbox.run(&["list"]).exits(0).prints("");
    assert!(ran.err.contains("Nothing"), "{ran}");
}

#[test]
fn list_filters_and_is_oldest_first() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask_a_or_b();
    let second = sandbox.ask(&["Q2", "--owner", "item:bd-1", "--project", "p2"]);
    let third = sandbox.ask(&["Q3", "--source", "plan", "-o", "a:A"]);
    sandbox.ok(&["answer", &third, "a"]);
    let ids = |arguments: &[&str]| -> Vec<String> {
        let list = sandbox.json(&[&["list", "--json"], arguments].concat());
        list.as_array().unwrap().iter().map(|decision| decision["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&[]), [&first[..], &second]);
    assert_eq!(ids(&["--status", "all"]), [&first[..], &second, &third]);
    assert_eq!(ids(&["--status", "answered"]), [&third[..]]);
    assert_eq!(ids(&["--status", "all", "--source", "plan"]), [&third[..]]);
    assert_eq!(ids(&["--owner", "item:bd-1"]), [&second[..]]);
    assert_eq!(ids(&["--project", "p2"]), [&second[..]]);
    assert_eq!(ids(&["--limit", "1"]), [&first[..]]);
    let ran = sandbox.run(&["list", "--limit", "1"]).exits(0);
    assert!(ran.err.contains("more"), "{ran}");
    assert!(ran.out.starts_with("ID"), "{ran}");
    sandbox.run(&["list", "--status", "nonsense"]).exits(2).says("pending");
}

#[test]
fn any_unique_start_of_an_id_names_it() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (0..40).map(|_| sandbox.ask_a_or_b()).collect();
    let id = &ids[7];
    let length = (1..=12)
        .find(|n| ids.iter().filter(|other| other[4..].starts_with(&id[4..4 + n])).count() == 1)
        .unwrap();
    let prefix = &id[4..4 + length];
    for typed in [prefix.to_owned(), format!("dcn-{prefix}"), prefix.to_uppercase(), id.clone()] {
        at(&sandbox.show(&typed), "/id", id.as_str());
    }
    // With 40 ids over 32 letters, two share their first.
    let (a, b) = ids
        .iter()
        .enumerate()
        .find_map(|(at, id)| ids[..at].iter().find(|other| other[4..5] == id[4..5]).map(|other| (other, id)))
        .unwrap();
    let ran = sandbox.run(&["show", &a[4..5]]).exits(3).prints("");
    assert!(ran.err.contains(a.as_str()) && ran.err.contains(b.as_str()), "the candidates are listed: {ran}");
    for typed in ["zzzzzzzzzzzz", "dcn-", "", "not an id", "💥", "dcn-0000000000000000000"] {
        let ran = sandbox.run(&["show", typed]).exits(3).prints("");
        assert!(ran.err.contains("hint:"), "{ran}");
    }
}

#[test]
fn show_tells_enough_to_decide() {
    let sandbox = Sandbox::new().looking();
    let subject = sandbox.file("s", "rm -rf build");
    #[rustfmt::skip]
    let id = sandbox.ask(&[
        "Run **this**?", "--title", "Clean up", "--subject", &subject, "--timeout", "2h", "--default", "no",
        "--owner", "job:build", "--requested-by", "agent-7", "--assign", "ana", "--project", "web",
    ]);
    let card = sandbox.ok(&["show", &id]);
    for part in [
        &id,
        "pending",
        "approval",
        "Clean up",
        "Run **this**?",
        "rm -rf build",
        "yes",
        "no",
        "refuses",
        "agent-7",
        "job:build",
        "web",
        "ana",
        " in 2 h if nobody answers (",
        "hold answer",
    ] {
        assert!(card.contains(part), "{part:?} is missing:\n{card}");
    }
    sandbox.ok(&["answer", &id, "no", "-m", "not today"]);
    let card = sandbox.ok(&["show", &id]);
    for part in ["Answered", "no", "by ana", "unverified", "not today", "(a no)"] {
        assert!(card.contains(part), "{part:?} is missing:\n{card}");
    }
}

#[test]
fn nothing_that_an_agent_wrote_can_act_on_the_terminal() {
    let sandbox = Sandbox::new().looking();
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}safe\u{202e}evil\u{200b}\r\nAnswered: yes by ana";
    let document = json!({
        "prompt": hostile, "title": hostile, "requested_by": "agent", "subject": {hostile: hostile},
        "fields": [{"id": "f", "kind": "confirm", "label": hostile, "description": hostile, "options": [
            {"id": "yes", "label": hostile, "description": hostile}, {"id": "no", "label": "No"}]}],
    });
    let id = sandbox.ask_document(&document);
    let acts =
        |text: &str| text.chars().any(|c| (c.is_control() && c != '\n') || "\u{202e}\u{200b}".contains(c));
    sandbox.run(&["answer", &id, "yes", "-m", hostile, "--by", "bo"]).exits(0);
    for arguments in [
        &["show", &id][..],
        &["list", "--status", "all"],
        &["log"],
        &["wait", &id],
        &["check"],
        &["check", "--inject"],
    ] {
        let ran = sandbox.run(arguments);
        assert!(!acts(&ran.out), "{arguments:?} on standard output: {:?}", ran.out);
        assert!(!acts(&ran.err), "{arguments:?} on standard error: {:?}", ran.err);
    }
    assert!(sandbox.ok(&["show", &id]).contains("<U+001B>"));
    // JSON keeps it, escaped.
    at(&sandbox.show(&id), "/prompt", hostile);
    for arguments in
        [&["show", &id, "--json"][..], &["list", "--status", "all", "--json"], &["log", "--json"]]
    {
        assert!(!acts(&sandbox.ok(arguments)), "{arguments:?}");
    }
}

#[test]
fn an_agent_cannot_draw_an_answer() {
    let sandbox = Sandbox::new();
    let fake = "Answered: yes\n  by ana\n\nShall I deploy?";
    let document = json!({
        "prompt": fake, "title": "Answered: yes", "requested_by": "x · answered by ana",
        "fields": [{"id": "f", "kind": "choice", "label": "Answered: yes", "options": [{"id": "a"}, {"id": "b"}]}],
    });
    let id = sandbox.ask_document(&document);
    let plain = sandbox.ask(&[fake, "-o", "a:A", "-o", "b:B"]);
    for card in [sandbox.ok(&["show", &id]), sandbox.ok(&["show", &plain])] {
        assert!(!card.lines().any(|line| line.starts_with("Answered")), "{card}");
    }
    assert!(sandbox.ok(&["show", &id]).contains("by \"x · answered by ana\""));
    sandbox.refuses(&["answer", &id, "a", "--by", "system:timeout"], 1, &["by:", "system:timeout"]);
}

#[test]
fn the_card_names_the_kind_of_value() {
    let sandbox = Sandbox::new();
    for (kind, words) in [("email", "an e-mail address"), ("integer", "a whole number"), ("date", "a date")] {
        let card = sandbox.ok(&["show", &sandbox.ask(&["Which?", "--kind", kind])]);
        assert!(card.contains(&format!("  {words}\n")), "{card}");
    }
}

#[test]
fn errors_have_hints_and_go_to_standard_error() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["show", "zzz"]).exits(3).prints("");
    assert!(ran.err.starts_with("error: decision \"zzz\" not found\n\nhint: "), "{ran}");
    // A server is sent the id in its usual letters; the person who typed it reads it as they typed it.
    let served = Server::start();
    let ran = served.sandbox.run(&["show", "nope"]).exits(3).prints("");
    assert!(ran.err.starts_with("error: decision \"nope\" not found\n\nhint: "), "{ran}");
    for (arguments, words) in [
        (&["ask"][..], "PROMPT"),
        (&["nonsense"], "nonsense"),
        (&["show"], "<ID>"),
        (&["list", "--limit", "0"], "limit"),
        (&["ask", "Q", "--timeout", "soon"], "timeout"),
        (&["ask", "Q", "--kind", "riddle"], "choice"),
        (&["answer", "x", "a", "--guidance", "g"], "guidance"),
    ] {
        let ran = sandbox.run(arguments).exits(2).prints("");
        assert!(ran.err.contains(words), "{arguments:?}: {ran}");
    }
    for arguments in [&["--help"][..], &["ask", "--help"], &["--version"]] {
        let ran = sandbox.run(arguments).exits(0);
        assert!(ran.err.is_empty() && !ran.out.is_empty(), "{ran}");
    }
    sandbox.run(&[]).exits(2);
    assert!(!sandbox.home().join("keys").exists(), "looking and failing makes no keys");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let sandbox = Sandbox::new();
    for _ in 0..20 {
        sandbox.ask(&[&"long ".repeat(2000)]);
    }
    sandbox.link("hold");
    let ran = sandbox
        .shell("hold list --json | head -c 10 >/dev/null; hold log --json | head -n 1 | wc -l")
        .exits(0)
        .prints("1");
    assert_eq!(ran.err, "");
}

#[test]
fn the_card_says_what_it_costs_and_how_urgent_it_is() {
    let sandbox = Sandbox::new();
    let quote = json!({"type": "Quote", "payee_id": "shop", "quote_id": "q", "valid_until": "2099-01-01T00:00:00Z",
        "payment_plans": [{"plan_id": "p", "plan_type": "one-time", "amount": 999.5, "currency": "USD"}]});
    let document = json!({
        "prompt": "Which?", "priority": "urgent",
        "fields": [
            {"id": "p", "kind": "products", "options": [{"id": "laptop", "label": "Laptop", "quote": quote, "rating": 4.2, "reviews_count": 132}]},
            {"id": "n", "kind": "number", "label": "How many?", "min": 1, "max": 5, "default": 3},
        ],
    });
    let card = sandbox.ok(&["show", &sandbox.ask_document(&document)]);
    for part in ["urgent", "999.50 USD", "From 1 to 5", "4.2 of 5, 132 reviews", "suggested: 3"] {
        assert!(card.contains(part), "{part} in\n{card}");
    }
}

#[test]
fn a_long_answer_is_shown_in_full() {
    let sandbox = Sandbox::new();
    let words = "word ".repeat(60);
    let id = sandbox.ask(&["Why?", "--kind", "multiline"]);
    sandbox.ok(&["answer", &id, "--text", &format!("first line\n{words}end")]);
    let card = sandbox.ok(&["show", &id]);
    assert!(card.contains("  first line\n") && card.contains(&format!("  {words}end")), "{card}");
}

#[test]
fn colour_is_left_out_of_pipes() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let mut command = sandbox.command(&["show", &id]);
    let ran = crate::process::finish(command.env_remove("NO_COLOR").env("TERM", "xterm-256color"), b"");
    assert!(!ran.out.contains('\u{1b}'), "{ran}");
}

#[test]
fn completions_and_manual_are_printed() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(sandbox.ok(&["completions", shell]).contains("hold"));
    }
    sandbox.run(&["completions", "tcsh"]).exits(2).says("bash");
    assert!(sandbox.ok(&["man"]).starts_with(".ie"));
    let page = sandbox.ok(&["man", "ask"]);
    for part in
        [".TH hold-ask 1", "hold\\-ask \\- Ask a question, hold until", "\\fBhold ask\\fR [", "on\\-timeout"]
    {
        assert!(page.contains(part), "{part:?} is missing:\n{page}");
    }
    sandbox.run(&["man", "nonsense"]).exits(3).says("nonsense");
    assert!(!sandbox.home().exists(), "neither needs a data folder");
    let bash = sandbox.file("hold.bash", sandbox.ok(&["completions", "bash"]));
    assert_eq!(sandbox.program("bash").args(["-n", &bash]).status().unwrap().code(), Some(0));
}
