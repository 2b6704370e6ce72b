//! Ids that name no decision, or several.

use crate::sandbox::Sandbox;

#[test]
fn an_unknown_id_is_not_found_by_any_command() {
    let sandbox = Sandbox::new();
    sandbox.ask_a_or_b();
    let subject = sandbox.file("s", "x");
    for arguments in [
        &["show", "zzzz"][..],
        &["answer", "zzzz", "a"],
        &["wait", "zzzz"],
        &["cancel", "zzzz"],
        &["revise", "zzzz", "--prompt", "x"],
        &["consume", "zzzz", "--subject", &subject],
        &["receipt", "zzzz"],
        &["log", "zzzz"],
        &["show", "dcn-000000000000"],
        &["answer", "dcn-000000000000", "a"],
        &["wait", "dcn-000000000000"],
    ] {
        sandbox.refuses(arguments, 3, &[arguments[1], "hint:"]);
    }
}

#[test]
fn an_ambiguous_id_lists_the_candidates_in_every_command() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (0..33).map(|_| sandbox.ask_a_or_b()).collect();
    // 33 ids over 32 first letters: two of them share one.
    let shared = ids.iter().find_map(|id| {
        let same: Vec<&String> = ids.iter().filter(|other| other[..5] == id[..5]).collect();
        (same.len() > 1).then_some(same)
    });
    let same = shared.unwrap();
    let prefix = &same[0][4..5];
    for arguments in [
        &["show", prefix][..],
        &["answer", prefix, "a"],
        &["cancel", prefix],
        &["oj", "decision", "resolve", prefix, "1"],
    ] {
        let ran = sandbox.refuses(arguments, 3, &["use a longer prefix", "Which?"]);
        for id in same.iter().take(8) {
            assert!(ran.err.contains(id.as_str()), "{id} is not listed: {ran}");
        }
    }
}
