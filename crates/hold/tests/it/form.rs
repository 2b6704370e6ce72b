//! `hold form`: definitions are checked, each flaw with its line and field.

use crate::sandbox::Sandbox;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/forms");

#[test]
fn the_examples_pass() {
    let sandbox = Sandbox::new();
    let said = sandbox.ok(&["form", "check", &format!("{EXAMPLES}/change_request.md")]);
    assert!(said.contains("Change request (8 fields) is sound"), "{said}");
    let form = sandbox.json(&["form", "check", "--json", &format!("{EXAMPLES}/leave_request.json")]);
    assert_eq!(form["fields"][0]["kind"], "choice");
    assert!(!sandbox.home().exists(), "a check needs no store");
}

#[test]
fn flaws_are_named_and_refused() {
    let sandbox = Sandbox::new();
    let form = "---\nform_id: t\nfields:\n  - id: a\n    type: slider\n    prompt: A?\n  - id: b\n    type: dropdown\n---\n";
    let file = sandbox.file("form.md", form);
    let words =
        ["form.md: line 5: a: type \"slider\" is unknown", "form.md: line 7: b: a dropdown needs options"];
    sandbox.refuses(&["form", "check", &file], 1, &words);
    sandbox.refuses_with(&["form", "check", "-"], "{", 1, &["standard input: line 1: is not JSON"]);
    std::fs::write(&file, b"---\nform_id: t\ntitle: \xff\n---\n").unwrap();
    sandbox.refuses(&["form", "check", &file], 1, &["form.md: line 3: is not UTF-8"]);
}

/// Each value with the rule that took it and the words it came from; what was not taken, with the reason.
#[test]
fn what_was_read_is_explained() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/leave_request.json");
    let said = sandbox.ok(&["form", "explain", &file, "unpaid leave from 2 to 4 March 2027"]);
    assert!(said.contains("leave_type = \"Unpaid\"  (rule 4:"), "{said}");
    assert!(said.contains("start_date = \"2027-03-02\"") && said.contains("from \"2\""), "{said}");
    let said = sandbox.ok(&["form", "explain", &file, "maybe unpaid leave"]);
    assert!(said.contains("leave_type ? \"Unpaid\"") && said.contains("\"maybe\""), "{said}");
    let said = sandbox.ok(&["form", "explain", &file, "--asked", "start_date", "2026-02-30"]);
    assert!(said.contains("is not a day or time that exists"), "{said}");
    let json = sandbox.json(&["form", "explain", "--json", &file, "the end date is 4 March 2027"]);
    assert_eq!(json["taken"][0]["field"], "end_date", "{json}");
    assert!(json["taken"][0]["reason"].as_str().unwrap().starts_with("rule 3"), "{json}");
    sandbox.refuses(&["form", "explain", &file, "--asked", "colour", "red"], 3, &["has no field"]);
    // A message may begin with a hyphen, and options may follow it.
    let said = sandbox.ok(&["form", "explain", &file, "- 4 March 2027", "--asked", "end_date"]);
    assert!(said.contains("end_date"), "{said}");
}

#[test]
fn a_form_is_filled_at_the_terminal() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/leave_request.json");
    let said = "annual leave from 2 to 4 March 2027\na trip\nmake it unpaid\n\n";
    let ran = sandbox
        .run_with(&["form", "fill", &file], said)
        .exits(0)
        .says("Tuesday 2 March 2027")
        .says("now Unpaid");
    let values = ran.json();
    assert_eq!((&values["leave_type"], &values["reason"]), (&"Unpaid".into(), &"a trip".into()));
    let kept = sandbox.json(&["list", "--status", "answered", "--json"]);
    assert_eq!(kept[0]["answer"]["values"], values);
}

/// As in the chat, it is also sent or cancelled by saying so.
#[test]
fn a_form_is_sent_or_cancelled_in_words() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/leave_request.json");
    let said = "annual leave from 2 to 4 March 2027\nsend it\na trip\nsend it\n";
    let ran = sandbox
        .run_with(&["form", "fill", &file], said)
        .exits(0)
        .says("It is not sent yet, because this is missing: reason");
    assert_eq!(ran.json()["reason"], "a trip");
    sandbox.run_with(&["form", "fill", &file], "sick\ncancel\nyes\n").exits(6).says("Not sent");
}

#[test]
fn a_form_that_is_left_is_taken_back() {
    let sandbox = Sandbox::new();
    let file = format!("{EXAMPLES}/leave_request.json");
    sandbox.run_with(&["form", "fill", &file], "sick\n").exits(6).says("Not sent");
    assert_eq!(sandbox.json(&["list", "--status", "cancelled", "--json"])[0]["draft"]["leave_type"], "Sick");
}
