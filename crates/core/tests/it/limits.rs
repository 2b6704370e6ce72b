//! Everything has a bound, and the refusal names it. Nothing large is slow, and no refusal is large.

use crate::world::World;
use holdpoint_core::decision::DraftInput;
use holdpoint_core::{Actor, Command, DecisionId, Refusal, Values};
use serde_json::{Value, json};

fn ask(new: Value) -> Result<(World, DecisionId), Refusal> {
    let mut world = World::new();
    let command = Command::Create(Box::new(serde_json::from_value(new).unwrap()));
    world.submit(&Actor::claimed("ana", "test"), &command)?;
    let id = *world.decisions.keys().next().unwrap();
    Ok((world, id))
}

#[track_caller]
fn refused(new: Value, expected: &str) {
    let refusal = ask(new).map(|_| ()).unwrap_err();
    assert_eq!(refusal.to_string(), expected);
}

fn text() -> Value {
    json!([{"id": "t", "kind": "text"}])
}

fn options(count: usize) -> Value {
    (0..count).map(|n| json!({"id": format!("o{n}")})).collect()
}

#[test]
fn long_texts_are_refused_with_the_limit() {
    let long = |length: usize| "x".repeat(length);
    refused(
        json!({"prompt": long(10 << 20), "fields": text()}),
        "prompt: has 10485760 bytes; at most 1048576 are allowed",
    );
    refused(
        json!({"title": long(20_001), "fields": text()}),
        "title: has 20001 characters; at most 20000 are allowed",
    );
    refused(
        json!({"prompt": "P", "fields": [{"id": "t", "kind": "text", "label": long(16_385)}]}),
        "t: label has 16385 bytes; at most 16384 are allowed",
    );
    refused(
        json!({"prompt": "P", "fields": [{"id": "t", "kind": "text", "description": long((1 << 20) + 1)}]}),
        "t: description has 1048577 bytes; at most 1048576 are allowed",
    );
    let wide = json!([{"id": "c", "kind": "choice", "options": [{"id": "a", "short": long(16_385)}]}]);
    refused(
        json!({"prompt": "P", "fields": wide}),
        "c: option \"a\": short has 16385 bytes; at most 16384 are allowed",
    );
    refused(
        json!({"prompt": "P", "fields": text(), "requested_by": long(201)}),
        &format!("requested_by: \"{}…\" has 201 bytes; at most 200 are allowed", long(60)),
    );
    let big = json!({"prompt": "P", "fields": text(), "subject": long(9 << 20)});
    let why = ask(big).map(|_| ()).unwrap_err().to_string();
    assert!(why.starts_with("decision: has 94") && why.ends_with("at most 8388608 are allowed"), "{why}");
    assert!(ask(json!({"prompt": long(1 << 20), "title": "é".repeat(20_000), "fields": text()})).is_ok());
}

#[test]
fn metadata_is_bounded_and_in_no_digest() {
    let with = |metadata: Value| json!({"prompt": "P", "fields": text(), "metadata": metadata});
    let many: serde_json::Map<String, Value> = (0..10_000).map(|n| (format!("k{n}"), json!("v"))).collect();
    refused(with(many.into()), "metadata: has 10000 members; at most 50 are allowed");
    refused(
        with(json!({"run": "x".repeat(2_000)})),
        "metadata: \"run\" has 2000 bytes; at most 1024 are allowed",
    );
    let (world, id) = ask(with(json!({"run": "4711"}))).unwrap();
    let (plain, other) = ask(json!({"prompt": "P", "fields": text()})).unwrap();
    assert_eq!(world.decisions[&id].metadata["run"], "4711");
    assert_eq!(world.decisions[&id].digest, plain.decisions[&other].digest);
}

#[test]
fn many_fields_options_and_assignees_are_refused() {
    let fields: Value = (0..501).map(|n| json!({"id": format!("f{n}"), "kind": "text"})).collect();
    refused(json!({"prompt": "P", "fields": fields}), "fields: 501 fields; at most 500 are allowed");
    let two = json!([
        {"id": "a", "kind": "choice", "options": options(5_000)},
        {"id": "b", "kind": "choices", "options": options(5_001)},
    ]);
    refused(json!({"prompt": "P", "fields": two}), "fields: offer 10001 options; at most 10000 are allowed");
    refused(
        json!({"prompt": "P", "fields": text(), "outs": options(101)}),
        "outs: 101 outs; at most 100 are allowed",
    );
    let names: Vec<String> = (0..101).map(|n| n.to_string()).collect();
    refused(
        json!({"prompt": "P", "fields": text(), "assignees": names}),
        "assignees: at most 100 can be asked",
    );
}

#[test]
fn what_is_too_much_is_not_followed() {
    // A chain this long would exhaust the stack of a recursive walk.
    let fields: Value = (0..50_000)
        .map(|n| {
            let condition = json!({"field": format!("f{}", n + 1), "op": "EXISTS"});
            json!({"id": format!("f{n}"), "kind": "text", "visible_if": condition})
        })
        .collect();
    refused(json!({"prompt": "P", "fields": fields}), "fields: 50000 fields; at most 500 are allowed");
    let (mut world, id) = ask(json!({"prompt": "P", "fields": text()})).unwrap();
    let values: Values = (0..50_000).map(|n| (n.to_string(), json!(1))).collect();
    let refusal = world
        .submit(&Actor::claimed("ana", "test"), &Command::Draft { id, input: Box::new(values.into()) })
        .unwrap_err();
    let Refusal::Invalid(faults) = refusal else { panic!("{refusal:?}") };
    assert_eq!(faults.len(), 500);
}

#[test]
fn long_answers_and_drafts_are_refused() {
    let (mut world, id) = ask(json!({"prompt": "P", "fields": [{"id": "t", "kind": "multiline"}]})).unwrap();
    let actor = Actor::claimed("ana", "test");
    for (input, expected) in [
        (json!({"message": "x".repeat(65_537)}), "message: has 65537 bytes; at most 65536 are allowed"),
        (json!({"guidance": "x".repeat(65_537)}), "guidance: has 65537 bytes; at most 65536 are allowed"),
        (json!({"choice": "x".repeat(8 << 20)}), "answer: has 8388621 bytes; at most 8388608 are allowed"),
        (json!({"values": {"t": "x".repeat(2 << 20)}}), "t: has 2097152 bytes; at most 1048576 are allowed"),
    ] {
        let input = Box::new(serde_json::from_value(input).unwrap());
        let refusal = world.submit(&actor, &Command::Answer { id, input }).unwrap_err();
        assert_eq!(refusal.to_string(), expected);
    }
    let values = json!({"t": "x".repeat(9 << 20)}).as_object().unwrap().clone();
    let refusal = world.submit(&actor, &Command::Draft { id, input: Box::new(values.into()) }).unwrap_err();
    assert_eq!(refusal.to_string(), "draft: has 9437192 bytes; at most 8388608 are allowed");
    for (talk, expected) in [
        (json!({"t": "x".repeat(256 << 10)}), "talk: has 262152 bytes; at most 262144 are allowed"),
        (json!("words"), "talk: is not an object"),
    ] {
        let input = Box::new(DraftInput { talk: Some(talk), ..DraftInput::default() });
        let refusal = world.submit(&actor, &Command::Draft { id, input }).unwrap_err();
        assert_eq!(refusal.to_string(), expected);
    }
    let reason = Some("x".repeat(65_537));
    let refusal = world.submit(&actor, &Command::Cancel { id, reason }).unwrap_err();
    assert_eq!(refusal.to_string(), "reason: has 65537 bytes; at most 65536 are allowed");
}

#[test]
fn a_refusal_is_short_whatever_was_sent() {
    let long = "y\u{202e}".repeat(100_000);
    let (mut world, id) = ask(json!({"prompt": "P", "fields": [
        {"id": "c", "kind": "choices", "options": options(9_000)},
        {"id": "p", "kind": "products", "required": false, "options": options(100)},
    ]}))
    .unwrap();
    for input in [
        json!({"values": {"c": [long]}}),
        json!({"values": {&long: 1}}),
        json!({"values": {"c": {&long: 1}}}),
        json!({"values": {"c": ["o1"], "p": [{&long: 1}]}}),
        json!({"values": {"c": ["o1"], "p": [{"id": long}]}}),
        json!({"values": {"c": ["o1"], "p": [{"id": "o1", "quantity": long}]}}),
        json!({"out": long}),
        json!({"choices": [1]}),
        json!({"by": long, "values": {"c": ["o1"]}}),
    ] {
        let input = Box::new(serde_json::from_value(input).unwrap());
        let refusal =
            world.submit(&Actor::claimed("a", "t"), &Command::Answer { id, input }).unwrap_err().to_string();
        assert!(refusal.len() < 2_000, "{} bytes: {refusal}", refusal.len());
        assert!(!refusal.contains('\u{202e}'), "{refusal}");
    }
    for new in [
        json!({"prompt": "P", "fields": [{"id": long, "kind": "text"}]}),
        json!({"prompt": "P", "fields": [{"id": "c", "kind": "choice", "options": [{"id": long}]}]}),
        json!({"prompt": "P", "fields": [{"id": "c", "kind": "text", "visible_if": {"field": long, "op": "EXISTS"}}]}),
        json!({"prompt": "P", "fields": [{"id": "c", "kind": "choice", "options": vec![json!({"id": ""}); 9_000]}]}),
        json!({"prompt": "P", "fields": text(), "project": long}),
        json!({"prompt": "P", "fields": text(), "default": {"out": long}}),
        json!({"prompt": "P", "fields": text(), "subject": {&long: u64::MAX}}),
    ] {
        let refusal = ask(new).map(|_| ()).unwrap_err().to_string();
        assert!(refusal.len() < 2_000, "{} bytes: {refusal}", refusal.len());
        assert!(!refusal.contains('\u{202e}'), "{refusal}");
    }
}

#[test]
fn deep_json_is_refused_before_it_cannot_be_read_back() {
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert!(ask(json!({"prompt": "P", "fields": text(), "subject": deep(64)})).is_ok());
    refused(
        json!({"prompt": "P", "fields": text(), "subject": deep(65)}),
        "subject: is nested deeper than 64 levels",
    );
    refused(
        json!({"prompt": "P", "fields": text(), "origin": {"protocol": "x", "extra": {"a": deep(64)}}}),
        "origin: is nested deeper than 64 levels",
    );
}

#[test]
fn many_choices_of_many_options_are_taken() {
    let (mut world, id) =
        ask(json!({"prompt": "P", "fields": [{"id": "c", "kind": "choices", "options": options(10_000)}]}))
            .unwrap();
    let all: Vec<Value> = (0..10_000).map(|n| json!(format!("o{n}"))).collect();
    let answer = |choices: Vec<Value>| {
        let input = holdpoint_core::decision::AnswerInput { choices: Some(choices), ..Default::default() };
        Command::Answer { id, input: Box::new(input) }
    };
    let actor = Actor::claimed("ana", "test");
    assert!(!world.submit(&actor, &answer(all.clone())).unwrap().replayed);
    assert!(world.submit(&actor, &answer(all.into_iter().rev().collect())).unwrap().replayed);
}

#[test]
fn long_chains_of_conditions_are_followed() {
    let fields: Vec<Value> = (0..500)
        .rev()
        .map(|n| match n {
            0 => json!({"id": "f0", "kind": "boolean"}),
            n => {
                let before = json!({"field": format!("f{}", n - 1), "op": "EQUALS", "value": true});
                json!({"id": format!("f{n}"), "kind": "boolean", "visible_if": before})
            }
        })
        .collect();
    let (mut world, id) = ask(json!({"prompt": "P", "fields": fields})).unwrap();
    let values = (0..500).map(|n| (format!("f{n}"), json!(true))).collect();
    let input = Box::new(holdpoint_core::decision::AnswerInput { values, ..Default::default() });
    world.submit(&Actor::claimed("ana", "test"), &Command::Answer { id, input }).unwrap();
    assert_eq!(world.decisions[&id].answer.as_ref().unwrap().values.len(), 500);
}
