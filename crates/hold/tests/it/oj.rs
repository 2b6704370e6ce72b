//! The front door for escalations of jobs and crews: the document's examples, its numbering and its refusals.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, at};

/// A sandbox in which `oj` is on the path.
pub(crate) fn oddjobs() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.link("oj");
    sandbox
}

/// Raises an escalation and returns its id.
#[track_caller]
pub(crate) fn escalate(sandbox: &Sandbox, source: &str, owner: [&str; 2], more: &[&str]) -> String {
    let create = ["oj", "decision", "create", "--source", source, "--context", "Something happened."];
    sandbox.ok(&[&create, &owner[..], more].concat())
}

const QUESTIONS: &str = r#"{"questions":[
    {"question":"Which framework?","header":"Framework","options":[{"label":"React","description":"The usual"},{"label":"Vue"}]},
    {"question":"Which database?","header":"Database","options":["Postgres","MySQL","SQLite"],"multiSelect":false}]}"#;

#[test]
fn the_documents_examples_run_as_printed() {
    let sandbox = oddjobs();
    sandbox.shell("oj decision list").exits(0).prints("").says("No pending decisions");
    sandbox.shell("oj decision list -o json").exits(0).prints("[]");
    let script = "oj decision create --source idle --job build --agent agt-1 --context 'Agent in job \"build\" is idle.'";
    let first = sandbox.shell(&format!("{script} --project web")).exits(0).out.trim().to_owned();
    let second = sandbox.shell(&script.replace("--job build", "--job test")).exits(0).out.trim().to_owned();
    let third = sandbox.shell(&script.replace("--job build", "--crew fixers")).exits(0).out.trim().to_owned();
    let list = sandbox.shell("oj decision list -o json").exits(0).json();
    let ids: Vec<&str> = list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&third[..], &second, &first], "newest first");
    let filtered = sandbox.shell("oj decision list --project web -o json").exits(0).json();
    assert_eq!(filtered.as_array().unwrap().len(), 1);
    let text = sandbox.shell("oj decision list --project web").exits(0).out;
    assert!(text.starts_with("ID") && text.contains("SUMMARY") && text.contains(&first), "{text}");

    let shown = sandbox.shell(&format!("oj decision show {first}")).exits(0).out;
    for part in [
        "Context:",
        "is idle.",
        "Options:",
        "1. Nudge (recommended)",
        "2. Done",
        "3. Cancel",
        "4. Dismiss",
        "Use: oj decision resolve",
    ] {
        assert!(shown.contains(part), "{part:?} is missing:\n{shown}");
    }
    at(&sandbox.shell(&format!("oj decision show {first} -o json")).exits(0).json(), "/id", first.as_str());

    sandbox
        .shell(&format!("oj decision resolve {first} 1"))
        .exits(0)
        .prints(&format!("Resolved decision {first}"));
    sandbox.shell(&format!("oj decision resolve {second} -m \"msg\"")).exits(0);
    sandbox.shell(&format!("oj decision resolve {third} 2 -m \"msg\"")).exits(0);
    sandbox.shell("oj decision list -o json").exits(0).prints("[]");
    at(&sandbox.show(&first), "/answer/values/choice", "nudge");
    at(&sandbox.show(&second), "/answer/values", json!({}));
    at(&sandbox.show(&third), "/answer/values/choice", "done");
    at(&sandbox.show(&third), "/answer/message", "msg");
}

#[test]
fn list_shows_what_jobs_and_crews_wait_for_and_nothing_else() {
    let sandbox = oddjobs();
    sandbox.ask(&["On an item?", "--owner", "item:x"]);
    sandbox.ask(&["On nothing?"]);
    let asked = sandbox.ask(&["By a job?", "--owner", "job:j", "-o", "a:A"]);
    let list = sandbox.json(&["oj", "decision", "list", "-o", "json"]);
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    let item = list[0].as_object().unwrap();
    let mut keys: Vec<&str> = item.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut expected = ["id", "owner_id", "owner_name", "project", "source", "summary", "created_at_ms"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    at(&list, "/0/id", asked.as_str());
    at(&list, "/0/owner_name", "j");
    at(&list, "/0/summary", "By a job?");
}

#[test]
fn a_long_context_is_cut_in_the_summary_only() {
    let sandbox = oddjobs();
    let context = format!("Zürich{}", "é".repeat(200));
    let id =
        sandbox.ok(&["oj", "decision", "create", "--source", "idle", "--job", "j", "--context", &context]);
    let summary =
        sandbox.json(&["oj", "decision", "list", "-o", "json"])[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary.ends_with("...") && summary.len() <= 80, "{summary}");
    at(&sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]), "/context", context);
}

#[test]
fn every_source_has_its_options_in_order_with_its_marks() {
    let sandbox = oddjobs();
    let stop = ["nudge", "done", "cancel", "dismiss"];
    let retry = ["retry", "skip", "cancel", "dismiss"];
    for (source, labels, ids, recommended) in [
        ("idle", vec!["Nudge", "Done", "Cancel", "Dismiss"], &stop[..], Some(1)),
        ("dead", vec!["Retry", "Skip", "Cancel", "Dismiss"], &retry, Some(1)),
        ("error", vec!["Retry", "Skip", "Cancel", "Dismiss"], &retry, Some(1)),
        ("gate", vec!["Retry", "Skip", "Cancel"], &retry[..3], Some(1)),
        (
            "approval",
            vec!["Approve", "Deny", "Cancel", "Dismiss"],
            &["approve", "deny", "cancel", "dismiss"],
            None,
        ),
        ("question", vec!["Other", "Cancel", "Dismiss"], &["cancel", "dismiss"], None),
        (
            "plan",
            vec![
                "Accept (clear context)",
                "Accept (auto edits)",
                "Accept (manual edits)",
                "Revise",
                "Cancel",
            ],
            &["accept_clear", "accept_auto", "accept_manual", "revise", "cancel"],
            Some(1),
        ),
    ] {
        let id = escalate(&sandbox, source, ["--job", source], &[]);
        let shown = sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]);
        let options = shown["options"].as_array().unwrap();
        assert_eq!(
            options.iter().map(|option| option["label"].as_str().unwrap()).collect::<Vec<_>>(),
            labels,
            "{source}"
        );
        let numbers: Vec<i64> = options.iter().map(|option| option["number"].as_i64().unwrap()).collect();
        assert_eq!(numbers, (1..=i64::try_from(labels.len()).unwrap()).collect::<Vec<_>>(), "{source}");
        let marked = options
            .iter()
            .find(|option| option["recommended"] == true)
            .map(|option| option["number"].as_i64().unwrap());
        assert_eq!(marked, recommended, "{source}");
        let decision = sandbox.show(&id);
        let of_field = decision["fields"][0]["options"].as_array().cloned().unwrap_or_default();
        let all: Vec<&str> = of_field
            .iter()
            .chain(decision["outs"].as_array().unwrap())
            .map(|option| option["id"].as_str().unwrap())
            .collect();
        assert_eq!(all, ids, "{source}");
    }
}

#[test]
fn questions_are_numbered_options_then_other_then_outs() {
    let sandbox = oddjobs();
    let one = r#"[{"question":"Which?","header":"Pick","options":["Red","Green"]}]"#;
    let id = escalate(&sandbox, "question", ["--job", "j"], &["--questions", one, "--agent", "agt-1"]);
    let shown = sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]);
    let labels: Vec<&str> =
        shown["options"].as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["Red", "Green", "Other", "Cancel", "Dismiss"]);
    let mut keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    keys.retain(|key| *key != "status");
    keys.sort_unstable();
    #[rustfmt::skip]
    assert_eq!(keys, [
        "agent_id", "choices", "context", "created_at_ms", "digest", "id", "message", "options", "owner_id", "owner_name", "project",
        "question_groups", "resolved_at_ms", "source", "summary", "superseded_by",
    ]);
    at(&shown, "/agent_id", "agt-1");
    at(&shown, "/question_groups/0/header", "Pick");
    at(&shown, "/question_groups/0/options/2/label", "Other");
    at(&shown, "/resolved_at_ms", Value::Null);
    let decision = sandbox.show(&id);
    at(&decision, "/fields/0/custom", true);
    at(&decision, "/fields/0/options/0/id", "red");
    sandbox.ok(&["oj", "decision", "resolve", &id, "2"]);
    let shown = sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]);
    at(&shown, "/choices", json!([2]));
    assert!(shown["resolved_at_ms"].is_i64());
    let text = sandbox.ok(&["oj", "decision", "show", &id]);
    assert!(text.contains("completed") && text.contains("2 (Green)") && !text.contains("Use:"), "{text}");

    let id = escalate(&sandbox, "question", ["--job", "k"], &["--option", "Tea", "--option", "Coffee"]);
    sandbox.refuses(&["oj", "decision", "resolve", &id, "3"], 1, &["Other", "-m"]);
    sandbox.ok(&["oj", "decision", "resolve", &id, "3", "-m", "Water"]);
    at(&sandbox.show(&id), "/answer/values", json!({"choice": {"text": "Water"}}));
    // The same words without the number say the same.
    sandbox.ok(&["oj", "decision", "resolve", &id, "-m", "Water"]);
}

#[test]
fn several_questions_take_one_number_each() {
    let sandbox = oddjobs();
    let id = escalate(&sandbox, "question", ["--job", "j"], &["--questions", QUESTIONS]);
    let shown = sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]);
    assert_eq!(shown["options"].as_array().unwrap().len(), 8, "2 + 3 options, Other, Cancel, Dismiss");
    assert_eq!(shown["question_groups"].as_array().unwrap().len(), 2);
    at(&shown, "/question_groups/1/options/3/label", "Other");
    for (choices, words) in [
        (&["1"][..], "expected 2 choices (one per question), got 1"),
        (&["1", "2", "1"], "expected 2 choices (one per question), got 3"),
        (&["4", "1"], "choice 4 for question 1 out of range (1..3)"),
        (&["0", "1"], "choice 0 for question 1 out of range (1..3)"),
    ] {
        sandbox.refuses(&[&["oj", "decision", "resolve", &id], choices].concat(), 1, &[words]);
    }
    sandbox.ok(&["oj", "decision", "resolve", &id, "1", "2"]);
    at(&sandbox.show(&id), "/answer/values", json!({"q1": "react", "q2": "mysql"}));
    // What was chosen refers to what is listed, here as in the events.
    let shown = sandbox.json(&["oj", "decision", "show", &id, "-o", "json"]);
    let log = sandbox.ok(&["log", "--json"]);
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |tag: &str| events.iter().rev().find(|event| event["type"] == tag).unwrap();
    assert_eq!(shown["choices"], of("decision:resolved")["choices"]);
    for (option, listed) in
        shown["options"].as_array().unwrap().iter().zip(of("decision:created")["options"].as_array().unwrap())
    {
        for key in ["number", "id", "label", "field"] {
            assert_eq!(option[key], listed[key], "{option} {listed}");
        }
    }
    at(&shown, "/choices", json!([1, 4]));
    at(&shown, "/options/3/field", "q2");
    // Other in one of them takes the words.
    let id = escalate(&sandbox, "question", ["--job", "k"], &["--questions", QUESTIONS]);
    sandbox.ok(&["oj", "decision", "resolve", &id, "3", "1", "-m", "Svelte"]);
    at(&sandbox.show(&id), "/answer/values", json!({"q1": {"text": "Svelte"}, "q2": "postgres"}));
    // A message alone goes to every question; an out concerns them all.
    let id = escalate(&sandbox, "question", ["--job", "l"], &["--questions", QUESTIONS]);
    sandbox.ok(&["oj", "decision", "resolve", &id, "-m", "you choose"]);
    at(&sandbox.show(&id), "/answer/values/q2", json!({"text": "you choose"}));
    let id = escalate(&sandbox, "question", ["--job", "m"], &["--questions", QUESTIONS]);
    sandbox.ok(&["oj", "decision", "resolve", &id, "7"]);
    at(&sandbox.show(&id), "/answer/out", "cancel");
}

#[test]
fn what_does_not_fit_is_refused_in_the_known_words() {
    let sandbox = oddjobs();
    let id = escalate(&sandbox, "idle", ["--job", "j"], &[]);
    let resolve = ["oj", "decision", "resolve"];
    for (more, code, words) in [
        (&[&id[..], "5"][..], 1, "choice 5 out of range (1..4)".to_owned()),
        (&[&id, "0"], 1, "choice 0 out of range (1..4)".to_owned()),
        (&[&id], 1, "must provide either a choice or a message (-m)".to_owned()),
        (&[&id, "-m", " "], 1, "must provide either a choice or a message (-m)".to_owned()),
        (&[&id, "1", "2"], 1, "expected one choice, got 2".to_owned()),
        (&["zzzzzz", "1"], 3, "decision not found: zzzzzz".to_owned()),
    ] {
        sandbox.refuses(&[&resolve, more].concat(), code, &[&words]);
    }
    sandbox.run(&["oj", "decision", "show", "zzzzzz"]).exits(3).prints("").says("decision not found: zzzzzz");
    sandbox.ok(&["oj", "decision", "resolve", &id, "2"]);
    // Whatever is typed then, the first thing wrong is that it is settled; it is named as typed.
    for choice in ["1", "9"] {
        let words = format!("decision {} is already resolved", &id[4..]);
        sandbox.refuses(&["oj", "decision", "resolve", &id[4..], choice], 4, &[&words, "done by ana"]);
    }
    sandbox.run(&["oj", "decision", "resolve", &id, "2"]).exits(0);
    for arguments in [
        &["oj", "decision", "create", "--source", "form", "--job", "j", "--context", "x"][..],
        &[
            "oj",
            "decision",
            "create",
            "--source",
            "plan",
            "--job",
            "j",
            "--context",
            "x",
            "--questions",
            "[]",
        ],
        &[
            "oj",
            "decision",
            "create",
            "--source",
            "question",
            "--job",
            "j",
            "--context",
            "x",
            "--questions",
            "[{}]",
        ],
        &[
            "oj",
            "decision",
            "create",
            "--source",
            "question",
            "--job",
            "j",
            "--context",
            "x",
            "--questions",
            "{",
        ],
        &[
            "oj",
            "decision",
            "create",
            "--source",
            "approval",
            "--job",
            "j",
            "--context",
            "x",
            "--option",
            "Maybe",
        ],
        &["oj", "decision", "create", "--source", "idle", "--job", " ", "--context", "x"],
    ] {
        sandbox.refuses(arguments, 1, &["error: "]);
    }
    sandbox.run(&["oj", "decision", "create", "--source", "idle", "--context", "x"]).exits(2).says("--job");
    sandbox
        .run(&["oj", "decision", "create", "--source", "idle", "--job", "a", "--crew", "b", "--context", "x"])
        .exits(2);
    sandbox
        .run(&["oj", "decision", "review", "-o", "json"])
        .exits(2)
        .says("review does not support --output json");
}

#[test]
fn a_message_alone_means_what_the_source_makes_of_it() {
    let sandbox = oddjobs();
    let plan = escalate(&sandbox, "plan", ["--job", "p"], &[]);
    sandbox.ok(&["oj", "decision", "resolve", &plan, "-m", "add tests"]);
    at(&sandbox.show(&plan), "/answer/values/choice", "revise");
    at(&sandbox.show(&plan), "/answer/message", "add tests");
    let question = escalate(&sandbox, "question", ["--job", "q"], &["--option", "A"]);
    sandbox.ok(&["answer", &question, "-m", "something else"]);
    at(&sandbox.show(&question), "/answer/values/choice", json!({"text": "something else"}));
    let subject = sandbox.file("subject", "x");
    for source in ["idle", "dead", "error", "gate", "approval"] {
        let id = escalate(&sandbox, source, ["--job", source], &[]);
        sandbox.ok(&["oj", "decision", "resolve", &id, "-m", "go on"]);
        at(&sandbox.show(&id), "/answer/values", json!({}));
        sandbox.refuses(&["consume", &id, "--subject", &subject], 4, &[&id]);
    }
}

#[test]
fn review_needs_a_terminal() {
    let sandbox = oddjobs();
    escalate(&sandbox, "idle", ["--job", "a"], &[]);
    let ran = sandbox.run_with(&["oj", "decision", "review"], "1\n").exits(1);
    assert!(ran.err.contains("review requires an interactive terminal"), "{ran}");
}

#[test]
fn hints_name_the_commands_of_oj() {
    let sandbox = oddjobs();
    let id = escalate(&sandbox, "approval", ["--job", "a"], &[]);
    let ran = sandbox.run(&["oj", "decision", "resolve", &id, "1", "--digest", "sha256:0"]).exits(4);
    assert!(ran.err.contains(&format!("hold oj decision show {id}")), "{ran}");
    assert!(!ran.err.contains("hold show"), "{ran}");
}

#[test]
fn the_hint_for_want_of_a_digest_can_be_followed() {
    let sandbox = oddjobs();
    sandbox.link("bd");
    let ask = |owner: &str| {
        let subject = sandbox.file("plan.txt", "Move the carts.");
        let plan = ["ask", "Move them?", "--no-wait", "--subject", &subject, "--owner", owner];
        sandbox.ok(&[&plan[..], &["-o", "yes:Yes", "-o", "no:No"]].concat())
    };
    let id = ask("job:build");
    let ran = sandbox.shell(&format!("oj decision resolve {id} 1")).exits(4);
    let hint = format!("or send the `digest` that oj decision show {id} -o json prints: add --digest DIGEST");
    assert!(ran.err.contains(&hint), "{ran}");
    let follow =
        format!("oj decision resolve {id} 1 --digest $(oj decision show {id} -o json | jq -r .digest)");
    sandbox.shell(&follow).exits(0).prints(&format!("Resolved decision {id}"));
    let id = ask("item:bd-1");
    let ran = sandbox.shell("bd decision respond bd-1 --option yes").exits(4);
    assert!(ran.err.contains(&format!("bd decision show {id} --json prints")), "{ran}");
    let follow =
        "bd decision respond bd-1 --option yes --digest $(bd decision show bd-1 --json | jq -r .digest)";
    sandbox.shell(follow).exits(0);
}

#[test]
fn a_project_that_is_named_holds_for_what_is_resolved() {
    let sandbox = oddjobs();
    let id = escalate(&sandbox, "idle", ["--job", "a"], &["--project", "web"]);
    for verb in [&["show", id.as_str()][..], &["resolve", &id, "1"]] {
        let words = [&["oj", "--project", "other", "decision"], verb].concat();
        sandbox.refuses(&words, 3, &["decision not found"]);
    }
    sandbox.ok(&["oj", "--project", "web", "decision", "resolve", &id, "1"]);
}

#[test]
fn commands_that_are_not_taken_say_what_to_do_instead() {
    let sandbox = oddjobs();
    for (command, words) in [
        ("run build --var x=1", "hold job start RUNBOOK"),
        ("agent list", "hold job attach JOB"),
        ("crew list", "hold oj decision list"),
        ("project list", "hold project list"),
        ("daemon start", "hold serve"),
        ("job prune --all", "hold oj job delete JOB"),
    ] {
        let arguments: Vec<&str> = std::iter::once("oj").chain(command.split(' ')).collect();
        let ran = sandbox.run(&arguments).exits(2);
        assert!(ran.err.contains("there is no `") && ran.err.contains("hint:"), "{command}: {ran}");
        let words = words.replace("hold oj ", "").replace("hold ", "");
        assert!(ran.err.contains(&words), "{command}: {ran}");
    }
}
