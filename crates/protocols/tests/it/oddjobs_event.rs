use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Event, Owner, OwnerKind, Source};
use holdpoint_protocols::oddjobs::event::derived;
use holdpoint_protocols::oddjobs::{Create, resolve};
use serde_json::{Value, json};

use crate::oddjobs_create::{asked, asking, given, offering};
use crate::through_core::{ASKED_MS, at, settle};

#[test]
fn a_created_event_tells_who_waits_and_what_is_offered() {
    let job = asked(&given(Source::Gate));
    let keys = derived("decision:created", at(0), &serde_json::to_value(&job).unwrap());
    assert_eq!(keys["job_id"], "build");
    assert_eq!(keys["agent_id"], "agt-1");
    assert_eq!(keys["owner"], "job:build");
    assert_eq!(keys["source"], "gate");
    assert_eq!(keys["context"], "Agent in job \"build\" waits.\nMore.");
    assert_eq!(keys["created_at_ms"], json!(ASKED_MS));
    assert_eq!(keys["options"][0]["number"], 1);
    assert_eq!(keys["options"][0]["id"], "retry");
    assert_eq!(keys["options"][0]["label"], "Retry");
    assert_eq!(keys["options"][0]["recommended"], true);
    assert_eq!(keys["options"].as_array().unwrap().len(), 3);

    let crew = Create { owner: Owner::new(OwnerKind::Crew, "fix"), agent: None, ..given(Source::Gate) };
    let keys = derived("decision:created", at(0), &serde_json::to_value(asked(&crew)).unwrap());
    assert_eq!(keys["owner"], "crew:fix");
    assert!(!keys.contains_key("job_id") && !keys.contains_key("agent_id"));
}

#[test]
fn the_numbers_of_what_was_chosen_are_those_of_the_options() {
    let two = asked(&asking(
        &json!([{"question": "A?", "options": ["x", "y"]}, {"question": "B?", "options": ["x", "z"]}]),
    ));
    let created = derived("decision:created", at(0), &serde_json::to_value(&two).unwrap());
    let cases: [(&[usize], Option<&str>, Value); 4] = [
        (&[2, 2], None, json!([["q1", "y"], ["q2", "z"]])),
        (&[1, 1], None, json!([["q1", "x"], ["q2", "x"]])),
        (&[1, 3], Some("words"), json!([["q1", "x"], [null, "_other"]])),
        (&[6], None, json!([[null, "cancel"]])),
    ];
    for (typed, message, expected) in cases {
        let (_, events) = settle(&two, resolve(&two, typed, message).unwrap()).unwrap();
        let body = serde_json::to_value(&events[0]).unwrap();
        let named = |number: &Value| {
            let options = created["options"].as_array().unwrap();
            let option = options.iter().find(|one| one["number"] == *number).unwrap();
            json!([option["field"], option["id"]])
        };
        let chosen: Vec<Value> = body["choices"].as_array().unwrap().iter().map(named).collect();
        assert_eq!(Value::Array(chosen), expected, "{typed:?}");
    }
}

#[test]
fn what_was_chosen_is_said_for_each_of_several_questions() {
    let two = asked(&asking(&json!([
        {"question": "A?", "options": ["x", "y"], "multiSelect": true},
        {"question": "B?", "options": ["x", "z"]},
    ])));
    let created = derived("decision:created", at(0), &serde_json::to_value(&two).unwrap());
    let listed = created["options"].as_array().unwrap();
    let answer = |a: Value, b: Value| AnswerInput {
        values: [("q1".to_owned(), a), ("q2".to_owned(), b)].into_iter().collect(),
        ..AnswerInput::default()
    };
    for (answer, expected) in [
        (answer(json!(["x", "y"]), json!("z")), json!([["q1", 1, "x"], ["q1", 2, "y"], ["q2", 4, "z"]])),
        (
            answer(json!([{"text": "mine"}]), json!({"text": "own"})),
            json!([["q1", 5, "_other"], ["q2", 5, "_other"]]),
        ),
    ] {
        let (_, events) = settle(&two, answer).unwrap();
        let body = serde_json::to_value(&events[0]).unwrap();
        let chosen = body["chosen"].as_array().unwrap();
        let told: Vec<Value> =
            chosen.iter().map(|one| json!([one["field"], one["number"], one["id"]])).collect();
        assert_eq!(Value::Array(told), expected);
        // Each is one of those that were listed, by number and by id.
        for one in chosen {
            let same = |option: &&Value| (&option["number"], &option["id"]) == (&one["number"], &one["id"]);
            let option = listed.iter().find(same).unwrap();
            assert!(option["field"].is_null() || option["field"] == one["field"], "{one} {option}");
        }
        // Nothing else is said in its place.
        assert!(!derived(events[0].tag(), at(1_000), &body).contains_key("chosen"));
    }
    // The numbers are in the order of what was chosen.
    let one = asked(&asking(&json!([{"question": "A?", "options": ["x", "y"], "multiSelect": true}])));
    for (values, chosen, choices) in [
        (json!(["y", "x"]), json!(["y", "x"]), json!([2, 1])),
        (json!(["y", {"text": "mine"}]), json!(["y", "_other"]), json!([2, 3])),
    ] {
        let values = one.fields.iter().map(|field| (field.id.clone(), values.clone())).collect();
        let (_, events) = settle(&one, AnswerInput { values, ..AnswerInput::default() }).unwrap();
        let body = serde_json::to_value(&events[0]).unwrap();
        assert_eq!(derived(events[0].tag(), at(1_000), &body)["chosen"], chosen);
        assert_eq!(body["choices"], choices);
    }
    let cancelled = AnswerInput { out: Some("cancel".into()), ..AnswerInput::default() };
    let (_, events) = settle(&two, cancelled).unwrap();
    let body = serde_json::to_value(&events[0]).unwrap();
    assert_eq!(derived(events[0].tag(), at(1_000), &body)["chosen"], "cancel");
}

#[test]
fn a_resolved_event_tells_what_was_chosen() {
    let idle = asked(&given(Source::Idle));
    let two =
        asked(&asking(&json!([{"question": "A?", "options": ["x"]}, {"question": "B?", "options": ["y"]}])));
    let several = asked(&asking(&json!([{"question": "A?", "options": ["x", "y"], "multiSelect": true}])));
    let free = asked(&given(Source::Question));
    let cases: [(_, &[usize], Option<&str>, Value); 8] = [
        (&idle, &[1], None, json!({"chosen": "nudge"})),
        (&idle, &[3], Some("no"), json!({"chosen": "cancel", "message": "no"})),
        (&idle, &[], Some("hm"), json!({"message": "hm"})),
        (&two, &[1, 1], None, json!({})),
        (&several, &[1, 2], None, json!({"chosen": ["x", "y"]})),
        (&free, &[1], Some("words"), json!({"chosen": "_other", "message": "words"})),
        (
            &asked(&offering(Source::Question, &["A"])),
            &[2],
            Some("words"),
            json!({"chosen": "_other", "message": "words"}),
        ),
        (
            &asked(&offering(Source::Question, &["A"])),
            &[1],
            Some("words"),
            json!({"chosen": "a", "message": "words"}),
        ),
    ];
    for (decision, choices, message, mut expected) in cases {
        let (_, events) = settle(decision, resolve(decision, choices, message).unwrap()).unwrap();
        let body = serde_json::to_value(&events[0]).unwrap();
        assert_eq!(events[0].tag(), "decision:resolved");
        expected["resolved_at_ms"] = json!(ASKED_MS + 1_000);
        assert_eq!(Value::Object(derived(events[0].tag(), at(1_000), &body)), expected);
    }
}

#[test]
fn erased_bodies_and_other_events_get_nothing() {
    for tag in ["decision:created", "decision:resolved", "decision:cancelled", "job:resume", ""] {
        for body in [Value::Null, json!({}), json!([1]), json!({"answer": 3}), json!("x")] {
            assert!(derived(tag, at(0), &body).is_empty(), "{tag} {body}");
        }
    }
    let idle = asked(&given(Source::Idle));
    let event = Event::Created(Box::new(idle));
    assert!(derived("decision:revised", at(0), &serde_json::to_value(event).unwrap()).is_empty());
}
