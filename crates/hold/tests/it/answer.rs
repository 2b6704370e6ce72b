//! Answering: by id, number or label, field by field, in words; the first answer wins.

use crate::sandbox::{Sandbox, at};
use serde_json::{Value, json};

#[test]
fn a_choice_is_an_id_a_number_or_the_start_of_a_label() {
    for (typed, chosen) in [
        ("memory", "memory"),
        ("2", "memory"),
        ("In-mem", "memory"),
        ("in-mem", "memory"),
        ("use redis", "redis"),
    ] {
        let sandbox = Sandbox::new();
        let id = sandbox.ask(&["Which?", "-o", "redis:Use Redis", "-o", "memory:In-memory LRU"]);
        sandbox.ok(&["answer", &id, typed]);
        at(&sandbox.show(&id), "/answer/values/choice", chosen);
    }
}

#[test]
fn an_exact_id_beats_a_number_and_a_label() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["How many?", "-o", "3:One", "-o", "one:Two", "-o", "1:Three"]);
    sandbox.ok(&["answer", &id, "1"]);
    at(&sandbox.show(&id), "/answer/values/choice", "1");
    let id = sandbox.ask(&["How many?", "-o", "x:One", "-o", "one:Two"]);
    sandbox.ok(&["answer", &id, "one"]);
    at(&sandbox.show(&id), "/answer/values/choice", "one");
}

#[test]
fn outs_are_chosen_in_the_same_way() {
    let document = json!({
        "prompt": "Go on?", "outs": [{"id": "cancel", "label": "Cancel it"}, {"id": "dismiss", "label": "Dismiss"}],
        "fields": [{"id": "f", "kind": "choice", "label": "?", "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}],
    });
    for (typed, out) in [("dismiss", "dismiss"), ("3", "cancel"), ("cancel i", "cancel"), ("4", "dismiss")] {
        let sandbox = Sandbox::new();
        let id = sandbox.ask_document(&document);
        sandbox.run(&["answer", &id, typed]).exits(0).prints(&format!("Answered {id}: {out}"));
        at(&sandbox.show(&id), "/answer/out", out);
        at(&sandbox.show(&id), "/answer/values", json!({}));
    }
}

#[test]
fn several_choices_are_kept_in_full() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--kind", "choices", "-o", "x:X", "-o", "y:Y", "-o", "z:Z"]);
    sandbox.ok(&["answer", &id, "z", "1"]);
    at(&sandbox.show(&id), "/answer/values/choice", json!(["z", "x"]));
    // As a set it is the same answer.
    let ran = sandbox.run(&["answer", &id, "x", "z", "--by", "bo"]).exits(0);
    assert!(ran.out.contains("had this answer already, from ana"), "{ran}");
    sandbox.refuses(&["answer", &id, "x"], 4, &["answered", "by ana"]);
}

#[test]
fn text_goes_where_words_are_taken() {
    let sandbox = Sandbox::new();
    let document = json!({
        "prompt": "?", "fields": [{"id": "c", "kind": "choice", "custom": true, "label": "?", "options": [{"id": "a", "label": "A"}]}],
    });
    let id = sandbox.ask_document(&document);
    sandbox.ok(&["answer", &id, "--text", "neither of them"]);
    at(&sandbox.show(&id), "/answer/values", json!({"c": {"text": "neither of them"}}));
    sandbox.run(&["wait", &id]).exits(0).prints(r#"{"c":{"text":"neither of them"}}"#);
    let plain = sandbox.ask_a_or_b();
    sandbox.refuses(
        &["answer", &plain, "--text", "neither"],
        1,
        &["--text", "no field here takes free text"],
    );
}

#[test]
fn of_several_fields_one_is_given_own_words() {
    let sandbox = Sandbox::new();
    let options = json!([{"id": "red", "label": "Red"}]);
    let fields = json!([
        {"id": "colour", "kind": "choice", "label": "Colour?", "options": options, "custom": true},
        {"id": "why", "kind": "text", "label": "Why?"},
    ]);
    let id = &sandbox.ask_document(&json!({"source": "form", "prompt": "?", "fields": fields}));
    assert!(sandbox.ok(&["show", id]).contains("--set \"colour=:…\""));
    sandbox.refuses(&["answer", id, "--set", "colour=Teal", "--set", "why=x"], 1, &["after a colon"]);
    sandbox.ok(&["answer", id, "--set", "colour=:Teal", "--set", "why=x"]);
    assert_eq!(sandbox.show(id)["answer"]["values"]["colour"], json!({"text": "Teal"}));
}

#[test]
fn a_form_is_answered_with_set_and_hidden_values_are_refused_or_dropped() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&form());
    let pending = sandbox.show(&id);
    #[rustfmt::skip]
    sandbox.ok(&[
        "answer", &id, "--set", "env=prod", "--set", "when=2026-12-01T08:30", "--set", "count=3", "--set", "at=52.5,13.4",
        "--set", "tags=x,y", "--set", "sure=yes", "--set", "day=2026-02-28", "--set", "clock=09:15",
    ]);
    let decision = sandbox.show(&id);
    at(
        &decision,
        "/answer/values",
        json!({
            "env": "prod", "when": "2026-12-01T08:30:00", "count": 3, "at": {"lat": 52.5, "lng": 13.4},
            "tags": ["x", "y"], "sure": true, "day": "2026-02-28", "clock": "09:15:00",
        }),
    );
    assert_eq!(decision["digest"], pending["digest"]);

    let id = sandbox.ask_document(&form());
    let missing = sandbox.refuses(
        &["answer", &id, "--set", "env=prod", "--set", "count=3"],
        1,
        &["when:", "at:", "sure:"],
    );
    assert!(!missing.err.contains("why:"), "hidden fields are not asked for: {missing}");
    // In dev nothing else is asked.
    sandbox.ok(&["answer", &id, "--set", "env=dev"]);
    at(&sandbox.show(&id), "/answer/values", json!({"env": "dev"}));
}

/// A form whose further fields are asked only for `prod`.
fn form() -> Value {
    let only = |mut field: Value| {
        field["visible_if"] = json!({"field": "env", "op": "EQUALS", "value": "prod"});
        field
    };
    json!({"prompt": "Release?", "source": "form", "fields": [
        {"id": "env", "kind": "choice", "label": "Where?", "options": [{"id": "dev", "label": "Dev"}, {"id": "prod", "label": "Prod"}]},
        only(json!({"id": "when", "kind": "datetime", "label": "When?"})),
        only(json!({"id": "count", "kind": "integer", "label": "How many?", "min": 1, "max": 5})),
        only(json!({"id": "at", "kind": "location", "label": "At?"})),
        only(json!({"id": "tags", "kind": "choices", "label": "Tags?", "options": [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]})),
        only(json!({"id": "sure", "kind": "boolean", "label": "Sure?"})),
        only(json!({"id": "day", "kind": "date", "label": "Day?"})),
        only(json!({"id": "clock", "kind": "time", "label": "Time?"})),
        {"id": "why", "kind": "text", "label": "Why not?", "visible_if": {"field": "env", "op": "EQUALS", "value": "none"}},
    ]})
}

#[test]
fn products_take_quantities() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_document(&json!({"prompt": "What?", "fields": [{"id": "p", "kind": "products", "label": "?", "options": [
        {"id": "mug", "label": "Mug", "variants": [{"id": "mug-red", "label": "Mug in red", "short": "red"}]}, {"id": "cap", "label": "Cap"},
    ]}]}));
    let card = sandbox.ok(&["show", &id]);
    assert!(card.contains("mug-red  Mug in red [red]"), "{card}");
    sandbox.ok(&["answer", &id, "mug-red=2", "cap"]);
    at(
        &sandbox.show(&id),
        "/answer/values/p",
        json!([{"id": "mug-red", "quantity": 2}, {"id": "cap", "quantity": 1}]),
    );
}

#[test]
fn who_answers_is_the_user_or_who_is_named() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask_a_or_b();
    let answered = sandbox.json(&["answer", &first, "a", "--json"]);
    at(&answered, "/answer/by", "ana");
    at(&answered, "/answer/auth", "claimed");
    let second = sandbox.ask_a_or_b();
    at(&sandbox.json(&["answer", &second, "a", "--by", "bo", "-m", "ok then", "--json"]), "/answer/by", "bo");
    at(&sandbox.show(&second), "/answer/message", "ok then");
}

#[test]
fn the_same_answer_is_a_replay_and_another_is_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "a", "-m", "why not"]);
    let events = sandbox.log().len();
    let ran = sandbox.run(&["answer", &id, "a", "-m", "why not", "--by", "bo"]).exits(0);
    assert!(ran.out.contains("had this answer already, from ana"), "{ran}");
    at(&sandbox.json(&["answer", &id, "a", "-m", "why not", "--json"]), "/answer/by", "ana");
    assert_eq!(sandbox.log().len(), events);
    sandbox.refuses(&["answer", &id, "b"], 4, &["already answered", "a by ana", "hint:"]);
    sandbox.refuses(&["answer", &id, "a", "-m", "other words"], 4, &["already answered"]);
    sandbox.refuses(&["answer", &id, "--guidance", "later"], 4, &["already answered"]);
    sandbox.refuses(&["revise", &id, "--prompt", "x"], 4, &["already answered"]);
    sandbox.refuses(&["cancel", &id], 4, &["already answered"]);
}

#[test]
fn a_digest_that_is_no_longer_current_is_stale() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let seen = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    at(&sandbox.json(&["revise", &id, "--prompt", "Which then?", "--json"]), "/prompt", "Which then?");
    sandbox.refuses(&["answer", &id, "a", "--digest", &seen], 4, &["changed since", "hold show"]);
    let current = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    assert_ne!(seen, current);
    sandbox.ok(&["answer", &id, "a", "--digest", &current]);
}

#[test]
fn words_may_begin_with_a_hyphen() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    sandbox.ok(&["answer", &id, "a", "-m", "- fix the test\n- then go on"]);
    assert_eq!(sandbox.show(&id)["answer"]["message"], "- fix the test\n- then go on");
    let id = sandbox.ask(&["Which?", "--kind", "text"]);
    sandbox.ok(&["answer", &id, "--text", "-5 degrees"]);
    assert_eq!(sandbox.show(&id)["answer"]["values"]["text"], "-5 degrees");
}

#[test]
fn a_message_alone_answers_only_where_that_has_a_meaning() {
    let sandbox = Sandbox::new();
    let job = |source: &str| ["Q", "-o", "x:X", "--source", source, "--owner", "job:j"].map(str::to_owned);
    let ask = |source: &str| {
        let arguments = job(source);
        sandbox.ask(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for source in ["idle", "dead", "error", "gate"] {
        let id = ask(source);
        sandbox.ok(&["answer", &id, "-m", "go on"]);
        at(&sandbox.show(&id), "/answer/values", json!({}));
        at(&sandbox.show(&id), "/answer/message", "go on");
        // Words without a choice are no yes.
        sandbox.run(&["wait", &id]).exits(8);
    }
    let id = sandbox.ask_document(&json!({"prompt": "?", "source": "form", "fields": [
        {"id": "c", "kind": "choice", "label": "?", "options": [{"id": "a", "label": "A"}]}]}));
    sandbox.refuses(&["answer", &id, "-m", "hm"], 1, &["choose one of: a"]);
}

#[test]
fn revise_replaces_options_prompt_title_and_subject() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("s.json", r#"{"cmd":"ls"}"#);
    let id = sandbox.ask(&["May I?", "--subject", &subject]);
    let before = sandbox.show(&id);
    let other = sandbox.file("t.json", r#"{"cmd":"ls -l"}"#);
    let after = sandbox.json(&["revise", &id, "--title", "T", "--subject", &other, "--json"]);
    at(&after, "/id", id.as_str());
    at(&after, "/title", "T");
    at(&after, "/subject/cmd", "ls -l");
    assert_ne!(before["subject_digest"], after["subject_digest"]);
    let file = sandbox.file("r.json", r#"{"prompt":"From a file"}"#);
    sandbox.ok(&["revise", &id, "--file", &file]);
    at(&sandbox.show(&id), "/prompt", "From a file");
    let piped =
        sandbox.run_with(&["revise", &id, "--file", "-", "--json"], r#"{"prompt":"Piped"}"#).exits(0).json();
    at(&piped, "/prompt", "Piped");
    sandbox.refuses_with(&["revise", &id, "--file", "-"], r#"{"promt":"x"}"#, 1, &["promt"]);
}

#[test]
fn what_is_settled_offers_no_words_and_hints_name_the_decision() {
    let sandbox = Sandbox::new();
    let own = json!({"prompt": "Which?", "fields": [{"id": "c", "kind": "choice", "label": "Which?", "custom": true,
        "options": [{"id": "a", "label": "A"}]}]});
    let id = sandbox.ask_document(&own);
    assert!(sandbox.ok(&["show", &id]).contains("or your own words"));
    sandbox.ok(&["answer", &id, "a"]);
    assert!(!sandbox.ok(&["show", &id]).contains("or your own words"));
    let id = sandbox.ask_a_or_b();
    sandbox.refuses(&["answer", &id, "--text", "x"], 1, &[&format!("hold show {id}")]);
}

#[test]
fn a_field_that_is_given_two_values_is_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask_a_or_b();
    let field = sandbox.show(&id)["fields"][0]["id"].as_str().unwrap().to_owned();
    let (one, other) = (format!("{field}=a"), format!("{field}=b"));
    sandbox.refuses(&["answer", &id, "--set", &one, "--set", &other], 2, &["is given twice"]);
    sandbox.ok(&["answer", &id, "--set", &one, "--set", &one]);
}

#[test]
fn what_is_settled_is_said_to_be_also_where_it_has_a_subject() {
    let sandbox = Sandbox::new();
    let subject = sandbox.file("subject.json", r#"{"tool":"sh","args":["ls"]}"#);
    let ask = || sandbox.ask(&["Remove it?", "--kind", "confirm", "--subject", &subject]);
    let id = ask();
    sandbox.ok(&["cancel", &id]);
    sandbox.refuses(&["answer", &id, "yes"], 4, &["cancelled"]);
    let id = ask();
    let digest = sandbox.show(&id)["digest"].as_str().unwrap().to_owned();
    sandbox.ok(&["answer", &id, "yes", "--digest", &digest]);
    let again = sandbox.run(&["answer", &id, "yes"]).exits(0);
    assert!(again.out.contains("had this answer already"), "{again}");
    sandbox.refuses(&["answer", &id, "no"], 4, &["answered"]);
}

#[test]
fn what_was_answered_to_several_questions_is_said_with_each() {
    let sandbox = Sandbox::new();
    let options = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
    let id = sandbox.ask_document(&json!({"prompt": "Q", "fields": [
        {"id": "q1", "kind": "choice", "label": "Which cache?", "options": options},
        {"id": "q2", "kind": "choices", "label": "Which OS?", "options": options}]}));
    let said = sandbox.ok(&["answer", &id, "--set", "q1=a", "--set", r#"q2=["a","b"]"#]);
    assert_eq!(said.trim(), format!("Answered {id}: Which cache? a, Which OS? a and b"));
}

#[test]
fn the_command_under_a_form_names_what_its_choice_asks_for() {
    let sandbox = Sandbox::new().looking();
    let only = |choice: &str| json!({"field": "how", "op": "EQUALS", "value": choice});
    let id = sandbox.ask_document(&json!({"prompt": "How?", "source": "form", "fields": [
        {"id": "how", "kind": "choice", "label": "How?", "options": [{"id": "ship", "label": "Ship"}, {"id": "wait", "label": "Wait"}]},
        {"id": "to", "kind": "choice", "label": "To?", "options": [{"id": "shop", "label": "Shop"}], "visible_if": only("ship")},
        {"id": "why", "kind": "text", "label": "Why?", "visible_if": only("wait")},
    ]}));
    let card = sandbox.ok(&["show", &id]);
    let command = card.lines().last().unwrap();
    assert_eq!(command, format!("hold answer {id} --set how=ship --set to=shop"));
    sandbox.ok(&command.split(' ').skip(1).collect::<Vec<_>>());
}
