//! Threads: the shapes that are about, and what a message does.

use std::collections::BTreeMap;

use holdpoint_core::thread::{Participant, ThreadAction};
use holdpoint_core::{Decision, Thread, Timestamp};
use holdpoint_protocols::aitp::thread::{
    Forms, MessageBody, MessageContext, Part, ThreadOpening, actions, forms, question_parts, recognise,
    replied, show,
};
use serde_json::{Map, Value, json};

use holdpoint_core::decision::AnswerInput;

use crate::through_core::{self, at, id};

const DECISIONS: &str = "https://aitp.dev/v1/decisions/schema.json";
const DATA: &str = "https://aitp.dev/v1/data/schema.json";

fn thread(actors: &[(&str, &[&str])]) -> Thread {
    let participant = |(id, capabilities): &(&str, &[&str])| Participant {
        id: (*id).into(),
        capabilities: capabilities.iter().map(ToString::to_string).collect(),
        ..Participant::default()
    };
    Thread {
        id: "thr-1".into(),
        project: "default".into(),
        parent_id: None,
        actors: actors.iter().map(participant).collect(),
        assignees: vec![],
        metadata: Map::new(),
        created_at: at(0),
        created_by: "shop".into(),
        created_with: None,
    }
}

fn parts(content: &[String]) -> Vec<Part> {
    content.iter().map(|part| recognise(part, at(0))).collect()
}

fn done(room: &MessageContext<'_>, content: &[String]) -> Vec<ThreadAction> {
    actions(room, content.iter().map(|part| recognise(part, room.now)).collect())
}

pub(crate) fn request(id: &str) -> Value {
    json!({"$schema": DECISIONS, "request_decision": {"id": id, "description": "Which?", "options": [{"id": "a"}, {"id": "b"}]}})
}

fn chose(request: Option<&str>, option: &str) -> Value {
    let mut body = json!({"options": [{"id": option}]});
    if let Some(request) = request {
        body["request_decision_id"] = request.into();
    }
    json!({"$schema": DECISIONS, "decision": body})
}

/// Says something as the shop, in a thread with nobody else named.
fn does(decisions: &[Decision], message: &Value) -> ThreadAction {
    does_in(&thread(&[]), decisions, message)
}

fn does_in(thread: &Thread, decisions: &[Decision], message: &Value) -> ThreadAction {
    let keys = BTreeMap::new();
    let room = MessageContext {
        thread,
        speaker: "shop",
        decisions,
        forms: &Forms::new(),
        keys: &keys,
        now: at(1_000),
    };
    let mut actions = done(&room, &["Look:".into(), format!(" {message}\n")]);
    assert_eq!(actions.len(), 1, "{actions:?}");
    actions.remove(0)
}

fn said(action: ThreadAction) -> String {
    match action {
        ThreadAction::Say(words) => words,
        other => panic!("{other:?}"),
    }
}

fn decision(message: &Value) -> Decision {
    let ThreadAction::Ask(new) = does(&[], message) else { panic!("it asks") };
    through_core::ask(*new).unwrap()
}

fn answer_with(decision: &Decision, values: Value) -> Decision {
    let Value::Object(values) = values else { panic!("values have names") };
    through_core::answer(decision, AnswerInput { values, ..AnswerInput::default() }).unwrap()
}

#[test]
fn actors_and_capabilities_come_in_many_shapes() {
    let list = json!([{"id": "a", "capabilities": [DECISIONS]}]);
    for body in [
        json!({"metadata": {"actors": list}}),
        json!({"actors": list}),
        json!({"agents": list}),
        json!({"metadata": {"actors": list.to_string()}}),
        json!({"metadata": {"actors": [{"id": "a", "capabilities": [{"schema": DECISIONS}]}]}}),
        json!({"agents": [{"id": "a", "capabilities": [{"$schema": DECISIONS}]}]}),
        json!({"metadata": {"actors": json!([{"id": "a", "capabilities": [{"$schema": DECISIONS}]}]).to_string()}}),
        json!({"metadata": {"actors": [{"id": "a", "capabilities": json!([DECISIONS]).to_string()}]}}),
    ] {
        let opening = ThreadOpening::read(body.clone()).unwrap_or_else(|fault| panic!("{body}: {fault}"));
        assert_eq!(opening.actors, thread(&[("a", &[DECISIONS])]).actors, "{body}");
        assert_eq!(opening.metadata, Map::new(), "{body}");
    }
    let near = json!({"messages": ["Hi"], "tool_resources": {}, "metadata": {
        "actors": json!([{"id": "u", "client_id": "app.near.ai", "capabilities": [DECISIONS, DATA]}]).to_string(),
        "parent_id": "", "topic": "x", "assignees": "ana, bo", "project": "web"}});
    let opening = ThreadOpening::read(near).unwrap();
    assert_eq!(opening.actors[0].client_id.as_deref(), Some("app.near.ai"));
    assert_eq!((opening.parent_id, opening.project.as_deref()), (None, Some("web")));
    assert_eq!(opening.assignees, ["ana", "bo"]);
    assert_eq!(opening.messages, [MessageBody::from_text("Hi")]);
    assert_eq!(opening.metadata["topic"], "x");
    for wrong in [
        json!([]),
        json!({"metadata": 5}),
        json!({"actors": 5}),
        json!({"actors": "[{"}),
        json!({"actors": [5]}),
        json!({"actors": [{}]}),
        json!({"actors": [{"id": 5}]}),
        json!({"actors": [{"id": "a", "capabilities": [5]}]}),
        json!({"actors": [{"id": "a", "capabilities": [{"url": "x"}]}]}),
        json!({"messages": [5]}),
        json!({"messages": "hello"}),
    ] {
        assert!(ThreadOpening::read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn content_comes_in_many_shapes() {
    for content in [
        json!("hi"),
        json!(["hi"]),
        json!([{"type": "text", "text": "hi"}]),
        json!([{"type": "text", "text": {"value": "hi", "annotations": []}}]),
    ] {
        let spoken =
            MessageBody::read(json!({"role": "user", "content": content, "attachments": null, "x": 1}))
                .unwrap();
        assert_eq!(spoken.content, ["hi"], "{content}");
    }
    let named =
        MessageBody::read(json!({"content": "x", "metadata": {"actor": "shop", "lang": "en"}})).unwrap();
    assert_eq!((named.actor.as_deref(), named.metadata["lang"].as_str()), (Some("shop"), Some("en")));
    for wrong in [
        json!({}),
        json!({"content": null}),
        json!({"content": 5}),
        json!({"content": [5]}),
        json!({"content": [{"type": "image_file"}]}),
        json!({"content": [{"text": {"value": 5}}]}),
        json!({"content": "x", "role": "system"}),
        json!({"content": "x", "attachments": 5}),
        json!({"content": "x", "metadata": {"actor": 5}}),
        json!("x"),
    ] {
        assert!(MessageBody::read(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn what_nobody_declared_is_answered_in_plain_words() {
    let form = json!({"$schema": DATA, "request_data": {"id": "f", "description": "", "form": {"fields": [{"id": "n"}]}}});
    let both = thread(&[("shop", &[DATA]), ("buyer", &[DECISIONS])]);
    let words = said(does_in(&both, &[], &form));
    assert!(words.starts_with("buyer did not declare AITP-03 Data Request"), "{words}");
    assert!(matches!(does_in(&both, &[], &request("r")), ThreadAction::Ask(_)));
    // Under another address of the same capability, and where one of several understands.
    let newer = ["https://aitp.dev/capabilities/aitp-03-data-request/v1.2.0/schema.json"];
    let three = thread(&[("shop", &[]), ("buyer", &[]), ("friend", &newer)]);
    assert!(matches!(does_in(&three, &[], &form), ThreadAction::Ask(_)));
    // Nobody else is named: Holdpoint itself takes it, and answers in kind.
    assert!(matches!(does_in(&thread(&[("shop", &[])]), &[], &form), ThreadAction::Ask(_)));
    assert!(matches!(does_in(&thread(&[("shop", &[DATA])]), &[], &form), ThreadAction::Ask(_)));
    let words = said(does_in(&thread(&[("shop", &[DECISIONS])]), &[], &form));
    assert!(words.starts_with("shop did not declare AITP-03 Data Request"), "{words}");
}

#[test]
fn answers_find_their_request() {
    let r1 = decision(&request("r1"));
    let r2 = Decision { id: id(2), ..decision(&request("r2")) };
    let both = [r1.clone(), r2.clone()];
    let ThreadAction::Answer { id, input } = does(&both, &chose(Some("r2"), "b")) else {
        panic!("it answers")
    };
    assert_eq!((id, &input.values["choice"]), (r2.id, &json!("b")));
    assert!(said(does(&both, &chose(None, "b"))).contains("Say which request"));
    // One that fits none is told why where it can be meant for one alone.
    let words = said(does(&both[..1], &chose(None, "z")));
    assert!(words.starts_with("This does not answer \"r1\": ") && words.contains("\"z\""), "{words}");
    assert!(said(does(&both, &chose(None, "z"))).contains("No pending request here"));
    assert!(matches!(does(std::slice::from_ref(&r1), &chose(None, "b")), ThreadAction::Answer { .. }));
    assert!(said(does(&[], &chose(None, "b"))).contains("No pending request"));
    assert!(said(does(&both, &chose(Some("r3"), "b"))).contains("No request here has the id \"r3\""));
    assert!(said(does(&both, &chose(Some("r1"), "z"))).contains("not among the options"));
    // One that is settled is named all the same: that it was answered is said where it is decided.
    let settled = answer_with(&r1, json!({"choice": "a"}));
    assert!(matches!(
        does(std::slice::from_ref(&settled), &chose(Some("r1"), "b")),
        ThreadAction::Answer { .. }
    ));
    assert!(said(does(&[settled], &chose(None, "b"))).contains("No pending request"));
    // The asker does not answer where others are there to.
    let pair = thread(&[("shop", &[DECISIONS]), ("buyer", &[DECISIONS])]);
    let own = Decision { requested_by: Some("shop".into()), ..r1 };
    assert!(said(does_in(&pair, &[own], &chose(Some("r1"), "a"))).contains("does not answer it"));
}

#[test]
fn a_wallets_result_is_not_another_wallets() {
    let address = |name: &str| format!("https://aitp.dev/capabilities/{name}/v1.0.0/schema.json");
    let asked = decision(&json!({"$schema": address("aitp-04-near-wallet"),
        "request_transaction": {"request_id": "w", "transaction": {"receiver_id": "r", "actions": []}}}));
    let result = json!({"$schema": address("aitp-05-evm-wallet"), "transaction_response": {"request_id": "w", "transaction_hash": format!("0x{}", "a".repeat(64))}});
    let words = said(does(&[asked], &result));
    assert!(words.contains("Nothing was asked here under \"w\""), "{words}");
}

#[test]
fn results_find_what_they_are_of() {
    let payments = "https://aitp.dev/v1/payments/schema.json";
    let plan = json!({"plan_id": "p", "plan_type": "one-time", "amount": 5, "currency": "USD"});
    let quote = json!({"type": "Quote", "quote_id": "q-1", "payee_id": "shop", "payment_plans": [plan], "valid_until": "2050-01-01T00:00:00Z"});
    let price = decision(&json!({"$schema": payments, "quote": quote}));
    assert_eq!(price.valid_until, "2050-01-01T00:00:00Z".parse().ok());
    let result = json!({"$schema": payments, "payment_result": {"quote_id": "q-1", "result": "success",
        "timestamp": "2026-01-01T00:00:00Z", "details": [{"label": "Order", "value": 7}]}});
    let ThreadAction::Report { id, message, content } = does(std::slice::from_ref(&price), &result) else {
        panic!("it reports")
    };
    assert_eq!((id, message.as_str(), &content), (price.id, "payment_result", &result));
    let bare = json!({"$schema": DECISIONS, "request_decision": {"id": "r", "title": " ", "options": [{"id": "a"}]}});
    assert_eq!(show(&bare.to_string(), at(0)).title.as_deref(), Some("Asks for a choice"));
    let shown = show(&result.to_string(), at(0));
    assert_eq!(shown.title.as_deref(), Some("Payment: success"));
    assert!(shown.facts.contains(&("details 1 value".into(), "7".into())), "{:?}", shown.facts);
    assert!(said(does(&[], &result)).contains("Nothing was asked here under \"q-1\""));
    let offer = json!({"$schema": DECISIONS, "request_decision": {"id": "o", "type": "products", "options": [{"id": "x", "quote": quote}]}});
    assert!(matches!(does(&[decision(&offer)], &result), ThreadAction::Report { .. }));
    for (schema, request, response) in [
        (
            "aitp-04-near-wallet",
            json!({"request_transaction": {"request_id": "t", "transaction": {"receiver_id": "r", "actions": []}}}),
            json!({"transaction_response": {"request_id": "t", "transaction_hash": "abc"}}),
        ),
        (
            "aitp-05-evm-wallet",
            json!({"request_address": {"request_id": "t"}}),
            json!({"address_response": {"request_id": "t", "addresses": []}}),
        ),
        (
            "aitp-04-near-wallet",
            json!({"request_account": {"request_id": "t"}}),
            json!({"account_response": {"request_id": "t", "accounts": ["a.near"]}}),
        ),
    ] {
        let address = format!("https://aitp.dev/capabilities/{schema}/v1.0.0/schema.json");
        let with = |mut message: Value| {
            message["$schema"] = address.as_str().into();
            message
        };
        let asked = decision(&with(request));
        assert!(
            matches!(does(std::slice::from_ref(&asked), &with(response)), ThreadAction::Report { id, .. } if id == asked.id),
            "{schema}"
        );
    }
}

#[test]
fn an_expired_price_is_not_asked_for() {
    let quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "s", "payment_plans": [], "valid_until": "1970-01-01T00:00:00Z"});
    let message = json!({"$schema": "https://aitp.dev/v1/payments/schema.json", "quote": quote});
    assert!(said(does(&[], &message)).contains("expired"));
    let offer = json!({"$schema": DECISIONS, "request_decision": {"id": "o", "type": "products", "options": [{"id": "x", "name": "X", "quote": quote}]}});
    let chosen = answer_with(&decision(&offer), json!({"choice": [{"id": "x", "quantity": 1}]}));
    let reply = replied(&chosen);
    assert_eq!(reply.len(), 2);
    assert!(reply[1].contains("chosen and not bought: x"), "{reply:?}");
}

#[test]
fn forms_elsewhere_are_named_and_put_in() {
    let message = json!({"$schema": DATA, "request_data": {"id": "f", "description": "", "form": {"json_url": "https://forms.example/f.json"}}});
    let content = [message.to_string()];
    assert_eq!(forms(&thread(&[]), "shop", &parts(&content)), ["https://forms.example/f.json"]);
    assert!(
        forms(&thread(&[("shop", &[]), ("b", &[])]), "shop", &parts(&content)).is_empty(),
        "nobody takes it"
    );
    let keys = BTreeMap::new();
    let does = |form: Result<String, String>| {
        let forms = Forms::from([("https://forms.example/f.json".to_owned(), form)]);
        let thread = thread(&[]);
        let room = MessageContext {
            thread: &thread,
            speaker: "shop",
            decisions: &[],
            forms: &forms,
            keys: &keys,
            now: at(0),
        };
        done(&room, &content).remove(0)
    };
    let ThreadAction::Ask(new) = does(Ok(json!({"fields": [{"id": "city"}]}).to_string())) else {
        panic!("it asks")
    };
    assert_eq!(new.fields[0].id, "city");
    assert!(said(does(Err("answered 404".into()))).contains("answered 404"));
    assert!(said(does(Ok("{\"fields\": 5}".into()))).contains("could not be fetched"));
}

#[test]
fn signatures_must_hold_where_keys_are_known() {
    let quote = json!({"quote_id": "q", "merchant_id": "shop", "description": "", "payment_options": [], "merchant_signature": "ed25519:AAAA"});
    let message = json!({"$schema": "https://aitp.dev/capabilities/aitp-01-payments/v1.0.0/schema.json", "quote": quote});
    let keys = BTreeMap::from([("other".to_owned(), "ed25519:x".to_owned())]);
    let thread = thread(&[]);
    let room = MessageContext {
        thread: &thread,
        speaker: "shop",
        decisions: &[],
        forms: &Forms::new(),
        keys: &keys,
        now: at(0),
    };
    let words = said(done(&room, &[message.to_string()]).remove(0));
    assert!(words.contains("no key of \"shop\" is known"), "{words}");
}

#[test]
fn what_is_put_to_those_who_do_not_understand_is_said() {
    let asked_of = |actors| question_parts(&thread(actors), &decision(&request("r")));
    let sent: Value = serde_json::from_str(&asked_of(&[("b", &[DECISIONS])])[0]).unwrap();
    assert_eq!(sent, request("r"));
    assert_eq!(asked_of(&[("b", &[DATA])]), ["Which?\n- a\n- b"]);
}

#[test]
fn long_words_are_cut_where_they_are_shown() {
    assert!(show(&"ä".repeat(100_000), at(0)).words.len() < 17_000);
    assert_eq!(show("short", at(0)).words, "short");
}

#[test]
fn nothing_that_is_said_panics() {
    let pieces = [
        "{",
        "}",
        "\"$schema\":",
        "\"https://aitp.dev/v1/decisions/schema.json\"",
        "\"decision\":",
        "[",
        "]",
        ",",
        "null",
        "\u{0}",
        "\\u0000",
        "😀",
    ];
    let mut state = 7_u64;
    for _ in 0..3_000 {
        let mut text = String::from("{");
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[usize::try_from(state >> 33).unwrap_or(0) % pieces.len()]);
        }
        text.push('}');
        let _ = show(&text, Timestamp::from_millis(0));
        let thread = thread(&[]);
        let keys = BTreeMap::new();
        let room = MessageContext {
            thread: &thread,
            speaker: "x",
            decisions: &[],
            forms: &Forms::new(),
            keys: &keys,
            now: at(0),
        };
        let _ = done(&room, &[text]);
    }
}
