//! `HumanLayer`'s calls through core and back: what its SDKs send, what they would be told, and what is refused.

use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, Source};
use holdpoint_protocols::humanlayer::{
    CallKind, ask as read, escalate, is_as_asked, owner, respond, show, unanswered, webhook,
};
use holdpoint_protocols::loss::{Part, PartHandling, Surface, fate};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::through_core::{answer, ask, cancel};

use CallKind::{FunctionCall, HumanContact};

fn call(spec: &Value) -> Value {
    json!({"run_id": "run-1", "call_id": "call-1", "spec": spec, "status": null})
}

fn asked(kind: CallKind, spec: &Value) -> Decision {
    ask(read(kind, call(spec), None).unwrap().new).unwrap()
}

fn pay() -> Value {
    json!({"fn": "pay", "kwargs": {"to": "Bob", "amount": 5}, "channel": null, "state": null, "reject_options": [
        {"name": "dear", "title": "Too dear", "description": null, "prompt_fill": "Try ", "interactive": true},
        {"name": "later", "title": null, "description": "Next week", "prompt_fill": null, "interactive": false}]})
}

fn said(kind: CallKind, decision: &Decision, status: Value) -> Value {
    let settled = answer(decision, respond(kind, decision, status).unwrap()).unwrap();
    show(kind, &settled)["status"].clone()
}

#[test]
fn a_call_comes_back_as_it_was_sent_and_its_arguments_are_the_subject() {
    let mut spec = pay();
    spec["state"] = json!({"thread": [1, 2.0, {"deep": null}], "held": true, "kind": "x", "": "ü"});
    let decision = asked(FunctionCall, &spec);
    assert_eq!(decision.source, Source::Approval);
    assert_eq!(decision.subject, Some(json!({"tool": "pay", "arguments": {"to": "Bob", "amount": 5}})));
    assert!(!decision.is_held());
    let refusing: Vec<_> =
        decision.fields[0].options.iter().map(|option| (option.id.as_str(), option.refuses)).collect();
    assert_eq!(refusing, [("approve", false), ("dear", true), ("later", true), ("deny", true)]);
    let shown = show(FunctionCall, &decision);
    assert_eq!((&shown["run_id"], &shown["call_id"]), (&json!("run-1"), &json!("call-1")));
    assert_eq!(shown["spec"], spec);
    // A number is given back as it was written.
    assert!(shown["spec"]["state"].to_string().contains("2.0"));
    assert_eq!((&shown["status"]["approved"], &shown["status"]["comment"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (CallKind::of(&decision), decision.owner.clone()),
        (Some(FunctionCall), Some(owner("call-1")))
    );
    assert_eq!(webhook(&decision), None);
}

#[test]
fn answers_are_told_in_the_words_of_the_sdks() {
    for (status, approved, comment, option) in [
        (json!({"approved": true}), true, Value::Null, Value::Null),
        (json!({"approved": true, "comment": "go on"}), true, json!("go on"), Value::Null),
        (json!({"approved": false, "comment": "no"}), false, json!("no"), Value::Null),
        (json!({"approved": false, "reject_option_name": "dear"}), false, json!("Too dear"), json!("dear")),
        (
            json!({"approved": false, "comment": "not now", "reject_option_name": "later"}),
            false,
            json!("not now"),
            json!("later"),
        ),
    ] {
        let told = said(FunctionCall, &asked(FunctionCall, &pay()), status.clone());
        assert_eq!(told["approved"], approved, "{status}");
        assert_eq!((&told["comment"], &told["reject_option_name"]), (&comment, &option), "{status}");
        assert!(!told["responded_at"].is_null(), "{status}");
    }
    let words = AnswerInput { message: Some("use the card".into()), ..AnswerInput::default() };
    let settled = answer(&asked(FunctionCall, &pay()), words).unwrap();
    let told = show(FunctionCall, &settled)["status"].clone();
    assert_eq!((&told["approved"], &told["comment"]), (&json!(false), &json!("use the card")));
    let bare = AnswerInput { choice: Some("deny".into()), ..AnswerInput::default() };
    let settled = answer(&asked(FunctionCall, &pay()), bare).unwrap();
    assert_eq!(webhook(&settled).unwrap()["event"]["status"]["comment"], "Denied; no reason was given.");
    let gone = cancel(&asked(FunctionCall, &pay()), "the shop is closed");
    let told = webhook(&gone).unwrap();
    assert_eq!(told["type"], "function_call.completed");
    assert_eq!(told["event"]["status"]["approved"], false);
    assert_eq!(
        told["event"]["status"]["comment"],
        "Not approved: the question was taken back: the shop is closed"
    );
}

#[test]
fn messages_are_answered_by_an_option_or_in_own_words() {
    let plain = json!({"msg": "Which city?", "subject": "Travel"});
    let decision = asked(HumanContact, &plain);
    assert_eq!(
        (decision.title.as_deref(), decision.prompt.as_deref()),
        (Some("Travel"), Some("Which city?"))
    );
    let told = said(HumanContact, &decision, json!({"response": "Bonn"}));
    assert_eq!((&told["response"], &told["response_option_name"]), (&json!("Bonn"), &Value::Null));
    let mut offered = plain;
    offered["response_options"] =
        json!([{"name": "b", "title": "Bonn"}, {"name": "no", "title": "No, neither"}]);
    for (status, response, option) in [
        (json!({"response_option_name": "b"}), "Bonn", json!("b")),
        (json!({"response_option_name": "no"}), "No, neither", json!("no")),
        (json!({"response_option_name": "b", "response": "the old one"}), "the old one", json!("b")),
        (json!({"response": "Rome"}), "Rome", Value::Null),
    ] {
        let told = said(HumanContact, &asked(HumanContact, &offered), status.clone());
        assert_eq!(
            (&told["response"], &told["response_option_name"]),
            (&json!(response), &option),
            "{status}"
        );
    }
    let gone = cancel(&decision, "never mind");
    assert_eq!(webhook(&gone), None);
    assert_eq!(
        unanswered(HumanContact, &gone).unwrap(),
        "nobody responds: the question was taken back: never mind"
    );
    assert_eq!((unanswered(HumanContact, &decision), unanswered(FunctionCall, &gone)), (None, None));
}

#[test]
fn what_cannot_be_kept_or_would_be_an_answer_is_refused() {
    let ids = |run: &str, id: &str| json!({"run_id": run, "call_id": id, "spec": {"fn": "f", "kwargs": {}}});
    let spec = |spec: Value| call(&spec);
    let long = "x".repeat(151);
    for (kind, body, place) in [
        (FunctionCall, json!(null), "body"),
        (FunctionCall, json!({}), "run_id"),
        (FunctionCall, spec(json!({"fn": "f", "kwargs": []})), "spec.kwargs"),
        (FunctionCall, spec(json!({"fn": " \u{202e} ", "kwargs": {}})), "spec.fn"),
        (FunctionCall, spec(json!({"fn": "f", "kwargs": {}, "state": "x"})), "spec.state"),
        (
            FunctionCall,
            spec(json!({"fn": "f", "kwargs": {}, "channel": {"slack": {"allowed_responder_ids": ["U1"]}}})),
            "allowed_responder_ids",
        ),
        (FunctionCall, ids("run", ""), "call_id"),
        (FunctionCall, ids("run", "a/b"), "call_id"),
        (FunctionCall, ids("run", "a?b"), "call_id"),
        (FunctionCall, ids("run", ".."), "call_id"),
        (FunctionCall, ids("run", "é"), "call_id"),
        (FunctionCall, ids("run", &long), "call_id"),
        (FunctionCall, ids("\u{7}", "c"), "run_id"),
        (
            FunctionCall,
            json!({"run_id": "r", "call_id": "c", "spec": {"fn": "f", "kwargs": {}}, "status": {"approved": true}}),
            "status",
        ),
        (
            HumanContact,
            json!({"run_id": "r", "call_id": "c", "spec": {"msg": "?"}, "status": {"response": "me"}}),
            "status",
        ),
    ] {
        let refused = read(kind, body.clone(), None).unwrap_err().to_string();
        assert!(refused.contains(place), "{body}: {refused}");
    }
    for options in [
        json!([{"name": "approve"}]),
        json!([{"name": "x", "title": "Yes"}]),
        json!([{"name": "x"}, {"name": "x"}]),
        json!([{"name": ""}]),
        json!([{"name": "_accept"}]),
    ] {
        let spec = json!({"fn": "f", "kwargs": {}, "reject_options": options});
        assert!(ask(read(FunctionCall, call(&spec), None).unwrap().new).is_err(), "{spec}");
    }
}

#[test]
fn nothing_of_a_channel_is_kept() {
    let channel = json!({"slack": {"channel_or_user_id": "C1", "bot_token": "xoxb-secret"},
        "email": {"address": "bob@example.org", "template": "secret"}});
    for (kind, spec) in [
        (FunctionCall, json!({"fn": "f", "kwargs": {}, "channel": channel})),
        (HumanContact, json!({"msg": "?", "channel": channel})),
    ] {
        let read = read(kind, call(&spec), Some("web")).unwrap();
        assert_eq!(read.new.project.as_deref(), Some("web"));
        assert!(!format!("{read:?}").contains("secret") && !format!("{read:?}").contains("bob@"));
        assert_eq!(show(kind, &ask(read.new).unwrap())["spec"]["channel"], Value::Null);
    }
}

#[test]
fn a_response_must_say_something_that_was_offered() {
    let decision = asked(FunctionCall, &pay());
    for (status, place) in [
        (json!({}), "approved"),
        (json!({"approved": "yes"}), "approved"),
        (json!({"approved": false}), "comment"),
        (json!({"approved": false, "comment": " "}), "comment"),
        (json!({"approved": true, "reject_option_name": "dear"}), "reject_option_name"),
        (json!({"approved": false, "reject_option_name": "approve"}), "reject_option_name"),
        (json!({"approved": false, "reject_option_name": "nothing"}), "reject_option_name"),
    ] {
        let refused = respond(FunctionCall, &decision, status.clone()).unwrap_err().to_string();
        assert!(refused.contains(place), "{status}: {refused}");
    }
    let contact = asked(HumanContact, &json!({"msg": "?"}));
    for status in [json!({}), json!({"response": ""}), json!([])] {
        assert!(respond(HumanContact, &contact, status.clone()).is_err(), "{status}");
    }
}

#[test]
fn only_what_never_changed_is_consented_to_without_a_digest() {
    let decision = asked(FunctionCall, &pay());
    let version = |tag: &str, digest: &Value, fields: &Value| {
        let event = json!({"type": tag, "subject_digest": digest, "fields": fields});
        event.as_object().unwrap().clone()
    };
    let (digest, fields) = (json!(decision.subject_digest), json!(decision.fields));
    let created = version("decision:created", &digest, &fields);
    let same = version("decision:revised", &digest, &fields);
    let other = version("decision:revised", &json!("sha256:other"), &fields);
    let offering = version("decision:revised", &digest, &json!([]));
    let erased = json!({"type": "decision:created", "erased": true}).as_object().unwrap().clone();
    let taken = json!({"type": "decision:taken"}).as_object().unwrap().clone();
    for (events, is) in [
        (vec![created.clone()], true),
        (vec![created.clone(), same.clone(), taken], true),
        (vec![created.clone(), other, same.clone()], false),
        (vec![created, offering], false),
        (vec![erased, same.clone()], false),
        (vec![same], false),
        (vec![], false),
    ] {
        assert_eq!(is_as_asked(&decision, &events), is, "{events:?}");
    }
}

#[test]
fn an_escalation_is_read_by_people_and_mails_nobody() {
    let body =
        json!({"escalation_msg": "the boss waits", "additional_recipients": [{"address": "x@example.org"}]});
    let mut decision = asked(HumanContact, &json!({"msg": "Which city?"}));
    let revision = escalate(&decision, body.clone()).unwrap().unwrap();
    assert_eq!(revision.prompt.as_deref(), Some("Which city?\n\n**Escalated:** the boss waits"));
    decision.prompt = revision.prompt;
    assert_eq!(escalate(&decision, body.clone()).unwrap(), None);
    assert_eq!(escalate(&cancel(&decision, "x"), body).unwrap(), None);
    assert!(escalate(&decision, json!({"escalation_msg": "\n"})).is_err());
    assert!(escalate(&decision, json!({})).is_err());
}

#[test]
fn the_table_of_losses_says_what_a_call_carries() {
    let decision = asked(FunctionCall, &pay());
    for (part, status) in [
        (Part::Note, json!({"approved": true, "comment": "a word"})),
        (Part::Reason, json!({"approved": false, "comment": "a word"})),
    ] {
        assert_eq!(fate(part, Surface::HumanLayer), PartHandling::Whole);
        assert_eq!(said(FunctionCall, &decision, status)["comment"], "a word", "{part:?}");
    }
}

/// Any JSON that has the members which are looked for more often than chance would have them.
fn any_body() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        "[a-z]{1,6}".prop_map(Value::from),
    ];
    let names = vec![
        "run_id",
        "call_id",
        "spec",
        "fn",
        "kwargs",
        "msg",
        "subject",
        "channel",
        "slack",
        "reject_options",
        "response_options",
        "state",
        "name",
        "title",
        "status",
        "approved",
        "comment",
        "response",
        "reject_option_name",
        "response_option_name",
        "escalation_msg",
    ];
    let key = prop::sample::select(names).prop_map(str::to_owned);
    leaf.prop_recursive(4, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..8)
                .prop_map(|pairs| Value::Object(Map::from_iter(pairs))),
        ]
    })
}

proptest! {
    #[test]
    fn no_body_makes_it_panic_and_no_call_consents_to_itself(body in any_body(), spec in any_body(), status in any_body()) {
        for kind in [FunctionCall, HumanContact] {
            let _ = read(kind, body.clone(), None);
            let mut spec = spec.clone();
            if let Some(spec) = spec.as_object_mut() {
                spec.insert("fn".into(), "f".into());
                spec.insert("msg".into(), "?".into());
                spec.entry("kwargs").or_insert_with(|| json!({}));
            }
            let Ok(decision) = read(kind, call(&spec), None).and_then(|asked| ask(asked.new)) else { continue };
            let shown = show(kind, &decision);
            prop_assert!(shown["status"]["approved"].is_null() && shown["status"]["response"].is_null());
            let _ = escalate(&decision, status.clone());
            let Ok(input) = respond(kind, &decision, status.clone()) else { continue };
            let consents = consents_to_subject(&decision, &input.values, None);
            prop_assert_eq!(consents, kind == FunctionCall && status["approved"] == json!(true));
            if let Ok(settled) = answer(&decision, input) {
                let shown = show(kind, &settled);
                prop_assert!(shown["status"]["approved"] != json!(true) || consents);
            }
        }
    }
}
