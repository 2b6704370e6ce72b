//! `hold next` without a terminal: one card after the other, what presses most first, and a count at the end.

use serde_json::json;

use crate::sandbox::{Sandbox, at};

#[test]
fn nothing_pending_is_said_and_done() {
    let sandbox = Sandbox::new();
    for name in ["next", "review"] {
        let ran = sandbox.run(&[name]).exits(0);
        assert_eq!(ran.out.trim(), "Nothing is waiting for you.\nDone. 0 answered, 0 skipped.", "{ran}");
    }
}

#[test]
fn lines_pick_skip_guide_help_and_quit() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (1..=5)
        .map(|n| sandbox.ask(&[&format!("Question {n}?"), "-o", "a:First", "-o", "b:Second"]))
        .collect();
    // The first with a message; the second left; the third guided after some confusion; the fourth picked; quit.
    let typed = "2\nbecause\nn\n?\n9\nwhat\ng\nthink again\n1\n\nq\n";
    let ran = sandbox.run_with(&["next", "--by", "bo"], typed).exits(0);
    for words in [
        "5 pending.",
        "n       skip",
        "Unknown key \"9\"",
        "Unknown key \"what\"",
        "Picked: Second.",
        "Answered: Second.",
        "Changes requested; round 2 is dcn-",
        "Done. 3 answered, 1 skipped.",
    ] {
        assert!(ran.out.contains(words), "{words:?} is missing: {ran}");
    }
    at(&sandbox.show(&ids[0]), "/answer/message", "because");
    at(&sandbox.show(&ids[0]), "/answer/by", "bo");
    at(&sandbox.show(&ids[1]), "/status", "pending");
    at(&sandbox.show(&ids[2]), "/status", "refined");
    at(&sandbox.show(&ids[3]), "/answer/values/choice", "a");
    at(&sandbox.show(&ids[4]), "/status", "pending");
}

#[test]
fn what_presses_most_comes_first_and_what_asks_the_same_is_one_card() {
    let sandbox = Sandbox::new();
    let ask = |words: &str, more: &[&str]| sandbox.ask(&[&[words, "-o", "a:A", "-o", "b:B"], more].concat());
    let same: Vec<String> = (0..3).map(|_| ask("Which cache?", &[])).collect();
    let due = ask("Due?", &["--timeout", "2m"]);
    let urgent = ask("Urgent?", &["--priority", "urgent"]);
    let ran = sandbox.run_with(&["next"], "1\n\n2\n\n1\n\n").exits(0);
    let place = |words: &str| ran.out.find(words).unwrap_or_else(|| panic!("{words}: {ran}"));
    assert!(place("Urgent?") < place("Due?") && place("Due?") < place("Which cache?"), "{ran}");
    for words in
        ["3 pending.", "Asked 3 times", "Also answered 2 identical requests.", "Done. 3 answered, 0 skipped."]
    {
        assert!(ran.out.contains(words), "{words:?} is missing: {ran}");
    }
    at(&sandbox.show(&urgent), "/answer/values/choice", "a");
    at(&sandbox.show(&due), "/answer/values/choice", "b");
    for id in &same {
        at(&sandbox.show(id), "/answer/values/choice", "a");
    }
}

#[test]
fn in_the_list_too_those_that_ask_the_same_get_one_answer() {
    let sandbox = Sandbox::new();
    let same: Vec<String> = (0..2).map(|_| sandbox.ask_a_or_b()).collect();
    let ran = sandbox.run_with(&["inbox", "--plain"], "1\n2\n\nq\n").exits(0);
    assert!(ran.out.contains("Also answered 1 identical request."), "{ran}");
    for id in &same {
        at(&sandbox.show(id), "/answer/values/choice", "b");
    }
}

#[test]
fn the_end_of_input_quits() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let ran = sandbox.run_with(&["next"], "").exits(0);
    assert!(ran.out.ends_with("Done. 0 answered, 0 skipped.\n"), "{ran}");
    at(&sandbox.show(&id), "/status", "pending");
}

#[test]
fn one_project_only() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let id = sandbox.ask(&["Web?", "-o", "a:A", "--project", "web"]);
    sandbox.run_with(&["next", "--project", "web"], "1\n\n").exits(0);
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
    let ran = sandbox.run_with(&["next"], "f\nmany\n3\nred ones\n\n11\n\n").exits(0);
    at(&sandbox.show(&form), "/answer/values", json!({"a": 3, "b": "red ones"}));
    at(&sandbox.show(&many), "/answer/values/choice", "o11");
    assert!(ran.out.contains("\"many\" is not a whole number"), "{ran}");
}

#[test]
fn several_are_picked_where_several_may_be() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--kind", "choices", "-o", "a:A", "-o", "b:B", "-o", "c:C"]);
    let other = sandbox.ask_a_or_b();
    let ran = sandbox.run_with(&["next"], "?\n1 9\n1, 3\nboth\n1 2\n2\n\n").exits(0);
    for words in ["Unknown key \"1 9\"", "Unknown key \"1 2\"", "Picked: A, C."] {
        assert!(ran.out.contains(words), "{words:?} is missing: {ran}");
    }
    at(&sandbox.show(&id), "/answer/values/choice", json!(["a", "c"]));
    at(&sandbox.show(&id), "/answer/message", "both");
    at(&sandbox.show(&other), "/answer/values/choice", "b");
}

#[test]
fn what_is_snoozed_is_not_asked() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["snooze", &id, "1h"]);
    let ran = sandbox.run(&["next"]).exits(0);
    assert!(ran.out.contains("Nothing is waiting for you."), "{ran}");
    sandbox.run(&["snooze", &id, "long"]).exits(2);
    sandbox.run(&["snooze", &id, "1h", "--end"]).exits(2);
}
