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
}
