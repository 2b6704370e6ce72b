//! Bad input: every refusal says what was wrong, which field, and what would be right; nothing is written.

use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Value, json};

use crate::process::finish;
use crate::sandbox::Sandbox;

/// Expects that a document is refused with these words, and that nothing is written.
#[track_caller]
fn refuses_document(sandbox: &Sandbox, document: &Value, words: &[&str]) {
    sandbox.refuses_with(&["ask", "--file", "-", "--no-wait"], document.to_string(), 1, words);
}

fn choice(id: &str, options: &Value) -> Value {
    json!({"id": id, "kind": "choice", "label": "?", "options": options})
}

fn text(id: &str, visible_if: &Value) -> Value {
    json!({"id": id, "kind": "text", "label": "?", "visible_if": visible_if})
}

#[test]
fn a_choice_that_is_none_of_them() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "-o", "a:First one", "-o", "b:First two"]);
    for (typed, words) in [
        (&["3"][..], &["3", "1..2"][..]),
        (&["0"], &["0", "1..2"]),
        (&["-1"], &["-1"]),
        (&["c"], &["\"c\"", "a, b"]),
        (&["First"], &["First", "could be any of", "a, b"]),
        (&["a", "b"], &["choice", "one option"]),
        (&["99999999999999999999"], &["a, b"]),
        (&["--set", "choice=c"], &["choice", "a, b"]),
        (&["--set", "other=a"], &["other", "choice"]),
    ] {
        let arguments = [&["answer", &id][..], typed].concat();
        let code = if typed[0] == "-1" { 2 } else { 1 };
        sandbox.refuses(&arguments, code, words);
    }
    sandbox.refuses(&["answer", &id, "--set", "choice"], 2, &["FIELD=VALUE"]);
}

#[test]
fn an_empty_answer() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.refuses(&["answer", &id], 1, &["choose one of: a, b"]);
    sandbox.refuses(&["answer", &id, ""], 1, &["a, b"]);
    sandbox.refuses(&["answer", &id, "--guidance", "  "], 1, &["guidance", "say what should be different"]);
    let id = sandbox.ask(&["Say something"]);
    sandbox.refuses(&["answer", &id, "--text", ""], 1, &["text"]);
    sandbox.refuses(&["answer", &id, "--text", "  "], 1, &["text"]);
    let id = sandbox.ask(&["Which?", "--kind", "choices", "-o", "a:A"]);
    sandbox.refuses(&["answer", &id, "--set", "choice=[]"], 1, &["choice"]);
}

#[test]
fn options_that_clash_or_are_reserved() {
    let sandbox = Sandbox::new();
    let two = |a: &str, b: &str| json!([{"id": a, "label": "A"}, {"id": b, "label": "B"}]);
    sandbox.refuses(&["ask", "Q", "-o", "a:A", "-o", "a:B", "--no-wait"], 1, &["choice", "\"a\"", "twice"]);
    sandbox.refuses(&["ask", "Q", "-o", "_accept:A", "--no-wait"], 1, &["_accept", "_"]);
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [choice("f", &two("x", "x"))]}),
        &["f", "\"x\""],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [choice("f", &two("_x", "y"))]}),
        &["f", "_x"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [choice("f", &json!([]))]}),
        &["f", "option"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [choice("f", &two("a", "b")), choice("f", &two("c", "d"))]}),
        &["f:", "twice"],
    );
    refuses_document(&sandbox, &json!({"prompt": "?", "fields": [choice("_f", &two("a", "b"))]}), &["_f"]);
    let outs = json!([{"id": "a", "label": "Out"}]);
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [choice("f", &two("a", "b"))], "outs": outs}),
        &["outs", "\"a\""],
    );
    let variants = json!([{"id": "a", "label": "A", "variants": [{"id": "a", "label": "B"}]}]);
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [{"id": "p", "kind": "products", "label": "?", "options": variants}]}),
        &["p", "\"a\""],
    );
}

#[test]
fn defaults_that_are_no_options_or_consent() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("s", "make");
    for (arguments, words) in [
        (&["-o", "a:A", "--default", "z", "--timeout", "1h"][..], &["default", "\"z\"", "a"][..]),
        (&["--subject", &subject, "--default", "yes", "--timeout", "1h"], &["default", "refus"]),
        (
            &["--kind", "confirm", "--source", "approval", "--default", "yes", "--timeout", "1h"],
            &["default", "refus"],
        ),
        (&["-o", "go:Go", "--source", "plan", "--default", "go", "--timeout", "1h"], &["default", "refus"]),
        (&["-o", "a:A", "--on-timeout", "default", "--timeout", "1h"], &["on_timeout", "default"]),
        (&["-o", "a:A", "--on-timeout", "deny", "--timeout", "1h"], &["deny", "refus"]),
        (&["-o", "no:No", "-o", "deny:Deny", "--on-timeout", "deny", "--timeout", "1h"], &["deny", "refus"]),
        (&["-o", "a:A", "--on-timeout", "cancel"], &["on_timeout", "timeout"]),
    ] {
        sandbox.refuses(&[&["ask", "Q?", "--no-wait"], arguments].concat(), 1, words);
    }
    sandbox
        .run(&["ask", "Q?", "--on-timeout", "maybe", "--no-wait"])
        .exits(2)
        .says("expire, default, deny or cancel");
}

#[test]
fn times_that_are_none() {
    let sandbox = Sandbox::new();
    for zero in ["0", "0s", "0ms"] {
        let ran = sandbox.run(&["ask", "Q?", "--timeout", zero, "--no-wait"]).prints("");
        assert!(
            [1, 2].contains(&ran.code) && ran.err.contains("timeout") && ran.err.contains("30m"),
            "{ran}"
        );
    }
    for wrong in ["-5m", "5 weeks", "abc", "1e9d", "99999999999999999999d", "5x"] {
        let ran = sandbox.run(&["ask", "Q?", &format!("--timeout={wrong}"), "--no-wait"]).prints("");
        assert!([1, 2].contains(&ran.code) && ran.err.contains("timeout"), "{ran}");
    }
    let field = choice("f", &json!([{"id": "a", "label": "A"}]));
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [field], "timeout": "0s"}),
        &["timeout", "30m"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [field], "timeout": "1h", "deadline": "2999-01-01T00:00:00Z"}),
        &["timeout", "not both"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [field], "deadline": "2026-02-30T00:00:00Z"}),
        &["2026-02-30"],
    );
    assert!(sandbox.log().is_empty());
}

#[test]
fn conditions_that_are_cyclic_or_dangling() {
    let sandbox = Sandbox::new();
    let on = |field: &str| json!({"field": field, "op": "EXISTS"});
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &on("b")), text("b", &on("a"))]}),
        &["visible_if", "a", "b"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &on("a"))]}),
        &["visible_if", "a"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &on("nowhere"))]}),
        &["visible_if", "nowhere"],
    );
    let nested = json!({"all": [on("c"), {"not": on("gone")}]});
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &nested), {"id": "c", "kind": "text", "label": "?"}]}),
        &["gone"],
    );
    let value_field = json!({"field": "c", "op": "EQUALS", "value_field": "lost"});
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &value_field), {"id": "c", "kind": "text", "label": "?"}]}),
        &["lost"],
    );
    refuses_document(
        &sandbox,
        &json!({"prompt": "?", "fields": [text("a", &json!({"field": "c", "op": "SOUNDS_LIKE", "value": 1})), {"id": "c", "kind": "text", "label": "?"}]}),
        &["SOUNDS_LIKE"],
    );
}

#[test]
fn values_that_no_field_takes() {
    let sandbox = Sandbox::new();
    for (kind, wrong, words) in [
        ("date", "2026-02-30", &["2026-02-30", "YYYY-MM-DD"][..]),
        ("date", "30.2.2026", &["YYYY-MM-DD"]),
        ("time", "25:00:00", &["25:00:00"]),
        ("datetime", "2026-02-30T10:00:00", &["2026-02-30"]),
        ("location", "91,0", &["91", "90"]),
        ("location", "0,181", &["181", "180"]),
        ("location", "here", &["here", "LAT,LNG"]),
        ("email", "nobody", &["nobody"]),
        ("url", "not a url", &["not a url"]),
        ("url", "javascript:alert(1)", &["javascript"]),
        ("number", "many", &["many", "number"]),
        ("number", "NaN", &["NaN", "number"]),
        ("integer", "1.5", &["1.5"]),
        ("boolean", "perhaps", &["perhaps", "yes nor no"]),
    ] {
        let id = sandbox.ask(&["Q?", "--kind", kind]);
        sandbox.refuses(&["answer", &id, "--set", &format!("{kind}={wrong}")], 1, &[&[kind], words].concat());
    }
    let id = sandbox.ask_document(
        &json!({"prompt": "?", "fields": [{"id": "n", "kind": "integer", "label": "?", "min": 1, "max": 5}]}),
    );
    sandbox.refuses(&["answer", &id, "--set", "n=6"], 1, &["n:", "6", "5"]);
    sandbox.refuses(&["answer", &id, "--set", "n=0"], 1, &["n:", "0", "1"]);
}

#[test]
fn text_without_bounds() {
    let sandbox = Sandbox::new();
    let huge = "x".repeat(10 << 20);
    let file = sandbox.file(
        "huge.json",
        json!({"prompt": huge, "fields": [{"id": "t", "kind": "text", "label": "?"}]}).to_string(),
    );
    sandbox.refuses(&["ask", "--file", &file, "--no-wait"], 1, &["prompt", "10485760 bytes", "1048576"]);
    let beyond = sandbox.file("beyond.json", vec![b' '; 17 << 20]);
    sandbox.refuses(&["ask", "--file", &beyond, "--no-wait"], 1, &["beyond.json", "16777216"]);
    sandbox.refuses(&["ask", "Q?", "--subject", &beyond, "--no-wait"], 1, &["16777216"]);
    let id = sandbox.ask(&["Say"]);
    sandbox.refuses(
        &["answer", &id, "--text", &"x".repeat(70 << 10), "-m", &"y".repeat(66 << 10)],
        1,
        &["65536"],
    );
    sandbox.refuses(&["ask", "Q?", "--title", &"x".repeat(20_001), "--no-wait"], 1, &["title", "20000"]);
    sandbox.refuses(
        &["ask", "Q?", "--requested-by", &"x".repeat(201), "--no-wait"],
        1,
        &["requested_by", "200"],
    );
    let many: Vec<Value> =
        (0..501).map(|n| json!({"id": format!("f{n}"), "kind": "text", "label": "?"})).collect();
    refuses_document(&sandbox, &json!({"prompt": "?", "fields": many}), &["fields", "500"]);
    // Deep nesting is refused, not a crash.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    sandbox.refuses_with(&["ask", "--file", "-", "--no-wait"], deep, 1, &["standard input", "nested deeper"]);
}

#[test]
fn names_with_characters_that_act() {
    let sandbox = Sandbox::new();
    for (flag, field) in
        [("--project", "project"), ("--requested-by", "requested_by"), ("--assign", "assignees")]
    {
        for name in ["a\u{1b}[31mb", "a\u{202e}b", " a", ""] {
            sandbox.refuses(&["ask", "Q?", "--no-wait", flag, name], 1, &[field]);
        }
    }
    let id = sandbox.ask_a_or_b();
    let ran = sandbox.refuses(&["answer", &id, "a", "--by", "evil\u{1b}[2J"], 1, &["by"]);
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
    let ran = sandbox.run(&["show", "\u{1b}[2J"]).exits(3);
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
    for arguments in [
        &["answer", &id, "\u{1b}[2J"][..],
        &["answer", &id, "--set", "\u{1b}x=1"],
        &["ask", "Q", "--owner", "\u{1b}:x", "--no-wait"],
        &["answer", &id, "--set", "\u{1b}"],
    ] {
        let ran = sandbox.run(arguments);
        assert!(ran.code != 0 && !ran.err.contains('\u{1b}'), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn documents_that_are_not_what_they_should_be() {
    let sandbox = Sandbox::new();
    let ask = ["ask", "--file", "-", "--no-wait"];
    for (document, words) in [
        ("", &["standard input", "line 1"][..]),
        ("{", &["line 1"]),
        ("[]", &["object"]),
        ("[\"p\",\"question\",null,\"Q?\"]", &["object"]),
        (r#"{"prompt":"?","fields":[{"id":"t","kind":"text","label":"?"}],"colour":"red"}"#, &["colour"]),
        (
            r#"{"prompt":"?","prompt":"!","fields":[{"id":"t","kind":"text","label":"?"}]}"#,
            &["prompt", "twice"],
        ),
        (
            r#"{"prompt":"?","fields":[{"id":"t","kind":"riddle","label":"?"}]}"#,
            &["fields[0].kind", "riddle"],
        ),
        (r#"{"prompt":"?","timeout":-5}"#, &["timeout:"]),
        (r#"{"prompt":"?","max_iterations":99999999999}"#, &["max_iterations:"]),
        (r#"{"prompt":"?","deadline":"9999-12-31T23:59:59Z"}"#, &["deadline:", "1970 to 9998"]),
        (r#"{"prompt":"?","fields":[{"id":"","kind":"text","label":"?"}]}"#, &["id"]),
        (r#"{"fields":[{"id":"t","kind":"text","label":"?"}]}"#, &["prompt"]),
        (r#"{"prompt":"?","fields":[{"id":"t","kind":"text","label":"?"}],"owner":"nobody"}"#, &["nobody"]),
    ] {
        let ran = sandbox.refuses_with(&ask, document, 1, words);
        assert!(ran.err.starts_with("error: "), "{ran}");
    }
    sandbox.refuses(&["ask", "--file", "nowhere.json", "--no-wait"], 1, &["nowhere.json"]);
    sandbox.refuses(&["ask", "--file", "-", "--subject", "-"], 2, &["standard input"]);
    sandbox.refuses(&["ask", "Q?", "--key", "", "--no-wait"], 2, &["--key", "empty"]);
    sandbox.refuses(&["ask", "Q?", "--owner", "planet:mars", "--no-wait"], 2, &["planet", "item"]);
    sandbox.refuses(&["ask", "Q?", "--source", "whim", "--no-wait"], 2, &["whim", "question"]);
    sandbox.refuses(&["ask", "Q?", "--max-iterations", "0", "--no-wait"], 1, &["max_iterations", "1 to 100"]);
}

#[test]
fn what_is_not_utf8() {
    let sandbox = Sandbox::new();
    let broken = b"caf\xe9";
    sandbox.refuses_with(
        &["ask", "--file", "-", "--no-wait"],
        [b"{\"prompt\":\"", &broken[..], b"\"}"].concat(),
        1,
        &["not UTF-8"],
    );
    sandbox.refuses_with(&["ask", "Q?", "--subject", "-", "--no-wait"], broken, 1, &["not UTF-8"]);
    let before = sandbox.log();
    let mut command = sandbox.command(&["ask", "--no-wait"]);
    let ran = finish(command.arg(std::ffi::OsStr::from_bytes(broken)), b"").exits(2).prints("");
    assert!(ran.err.contains("UTF-8"), "{ran}");
    // In the environment, too, it is said and not guessed.
    let mut command = sandbox.command(&["ask", "Q?", "--no-wait"]);
    let ran = finish(command.env("HOLD_PROJECT", std::ffi::OsStr::from_bytes(broken)), b"").prints("");
    assert!(ran.code == 1 && ran.err.contains("HOLD_PROJECT"), "{ran}");
    let mut command = sandbox.command(&["next"]);
    finish(&mut command, broken);
    assert_eq!(sandbox.log(), before);
}

#[test]
fn an_environment_that_makes_no_sense() {
    let sandbox = Sandbox::new();
    for (name, value, words) in [
        ("HOLD_STORE", "mysql://here", "sqlite:PATH"),
        ("HOLD_STORE", "sqlite:", "sqlite:PATH"),
        ("HOLD_STORE", "/data/hold.db", "write sqlite:/data/hold.db"),
        ("HOLD_STORE", "sqlite:/proc/nowhere/hold.db", "/proc/nowhere"),
        ("HOLD_PROJECT", "a\u{202e}b", "project"),
    ] {
        let mut command = sandbox.command(&["ask", "Q?", "--no-wait"]);
        finish(command.env(name, value), b"").exits(1).prints("").says(words);
    }
    let mut command = sandbox.command(&["list"]);
    finish(command.env_remove("HOLD_HOME").env_remove("HOME"), b"").exits(1).says("HOLD_HOME");
}
