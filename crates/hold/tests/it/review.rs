//! `hold review` without a terminal: it takes lines, says what it asks on standard error, and counts at the end.

use serde_json::json;

use crate::sandbox::{Sandbox, at};

#[test]
fn nothing_pending_is_said_and_done() {
    let sandbox = Sandbox::new();
    sandbox.run(&["review"]).exits(0).prints("Done. 0 resolved, 0 skipped.").says("0 pending decisions");
}

#[test]
fn lines_pick_skip_guide_help_and_quit() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (0..5).map(|_| sandbox.ask_a_or_b()).collect();
    // The first with a message; the second skipped; the third guided after some confusion; the fourth picked; quit.
    let typed = "2\nbecause\ns\n?\n9\nwhat\ng\nthink again\n1\n\nq\n";
    let ran = sandbox.run_with(&["review", "--by", "bo"], typed).exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 4, "{ran}");
    assert_eq!(lines[0], format!("Answered {}: b", ids[0]));
    assert!(lines[1].starts_with("Sent back with guidance; round 2 is dcn-"), "{ran}");
    assert_eq!(lines[2], format!("Answered {}: a", ids[3]));
    assert_eq!(lines[3], "Done. 3 resolved, 1 skipped.");
    for words in [
        "5 pending decisions",
        "[1/5]",
        "[5/5]",
        "a number picks",
        "\"9\" is not one of the keys",
        "\"what\"",
    ] {
        assert!(ran.err.contains(words), "{words:?} is missing: {ran}");
    }
    at(&sandbox.show(&ids[0]), "/answer/message", "because");
    at(&sandbox.show(&ids[0]), "/answer/by", "bo");
    at(&sandbox.show(&ids[2]), "/status", "refined");
    at(&sandbox.show(&ids[4]), "/status", "pending");
}

#[test]
fn the_end_of_input_quits() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.run_with(&["review"], "").exits(0).prints("Done. 0 resolved, 0 skipped.");
    at(&sandbox.show(&id), "/status", "pending");
}

#[test]
fn one_project_only() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let id = sandbox.ask(&["Web?", "-o", "a:A", "--project", "web"]);
    sandbox.run_with(&["review", "--project", "web"], "1\n\n").exits(0);
    at(&sandbox.show(&id), "/status", "answered");
    assert_eq!(sandbox.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn forms_are_filled_in_and_more_than_nine_options_take_a_whole_number() {
    let sandbox = Sandbox::new();
    let form = sandbox.ask_document(&json!({"prompt": "?", "source": "form", "fields": [
        {"id": "a", "kind": "integer", "label": "How many?"}, {"id": "b", "kind": "text", "label": "Which?"}]}));
    let options: Vec<String> = (1..=12).map(|n| format!("o{n}:Option {n}")).collect();
    let mut arguments = vec!["Many?"];
    arguments.extend(options.iter().flat_map(|option| ["-o", option]));
    let many = sandbox.ask(&arguments);
    let ran = sandbox.run_with(&["review"], "f\nmany\n3\nred ones\n\n11\n\n").exits(0);
    at(&sandbox.show(&form), "/answer/values", json!({"a": 3, "b": "red ones"}));
    at(&sandbox.show(&many), "/answer/values/choice", "o11");
    assert!(ran.err.contains("\"many\" is not a whole number"), "{ran}");
}

#[test]
fn several_are_picked_where_several_may_be() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--kind", "choices", "-o", "a:A", "-o", "b:B", "-o", "c:C"]);
    let other = sandbox.ask_a_or_b();
    let ran = sandbox.run_with(&["review"], "?\n1 9\n1, 3\nboth\n1 2\n2\n\n").exits(0);
    assert!(ran.err.contains("\"1 9\" is not one of the keys") && !ran.err.contains("f fills"), "{ran}");
    assert!(ran.err.contains("\"1 2\" is not one of the keys"), "{ran}");
    at(&sandbox.show(&id), "/answer/values/choice", json!(["a", "c"]));
    at(&sandbox.show(&id), "/answer/message", "both");
    at(&sandbox.show(&other), "/answer/values/choice", "b");
}

#[test]
fn what_was_settled_meanwhile_is_left_out() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask_a_or_b();
    let gone = sandbox.ask_a_or_b();
    // Answering the first through a hook settles the second before it is shown.
    sandbox.settings(&format!(
        "[hooks]\non_decision_respond = [\"{}\", \"cancel\", \"{gone}\"]\n",
        crate::sandbox::HOLD
    ));
    sandbox.ok(&["answer", &first, "a"]);
    let ran = sandbox.run_with(&["review"], "").exits(0).prints("Done. 0 resolved, 0 skipped.");
    assert!(ran.err.contains("0 pending"), "{ran}");
}
