//! Random histories keep the invariants, and random JSON breaks nothing.

use crate::histories::{history, live};
use crate::world::World;
use holdpoint_core::decision::{AnswerInput, New, Requirements, Revision};
use holdpoint_core::{Actor, Command, DecisionId};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};

/// The histories are worth living through: everything that can happen does.
#[test]
fn random_histories_reach_everything() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        let tree = history().new_tree(&mut runner).unwrap();
        seen.extend(live(tree.current()).log.iter().map(|(event, _)| event.tag()));
    }
    for tag in crate::events::TAGS {
        let other = ["token:", "person:", "auth:", "thread:", "run:", "log:", "key:"]
            .iter()
            .any(|start| tag.starts_with(start));
        // What a job does by itself has its own tests.
        let job = ["job:c", "crew:c", "job:a", "job:s", "job:d", "job:ret", "step:"]
            .iter()
            .any(|start| tag.starts_with(start));
        let elsewhere = other
            || (job && tag != "job:cancel")
            || matches!(tag, "item:deleted" | "project:updated" | "step:completed" | "decision:reported");
        assert!(elsewhere || seen.contains(tag), "{tag} never happened: {seen:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_history_keeps_the_invariants(steps in history()) {
        live(steps);
    }

    #[test]
    fn no_json_panics(value in json_value(), other in json_value()) {
        let mut world = World::new();
        let actor = Actor::claimed("ana", "test");
        for new in [value.clone(), json!({"prompt": "?", "fields": [{"id": "f", "kind": "text"}, value]}),
                    json!({"prompt": "?", "fields": [{"id": "f", "kind": "number", "default": value, "min": other}]}),
                    json!({"prompt": "?", "fields": [{"id": "f", "kind": "choice", "options": value, "visible_if": other}]}),
                    json!({"prompt": "?", "fields": [{"id": "f", "kind": "multiline", "required": false}], "subject": value}),
                    json!({"prompt": "?", "fields": [{"id": "f", "kind": "location", "required": false}], "default": {"f": value}})] {
            if let Ok(new) = serde_json::from_value::<New>(new) {
                let _ = world.submit(&actor, &Command::Create(Box::new(new)));
            }
        }
        let ids: Vec<DecisionId> = world.decisions.keys().copied().collect();
        for id in ids {
            for input in [value.clone(), json!({"values": {"f": value}}), json!({"choice": value, "choices": [other]})] {
                if let Ok(input) = serde_json::from_value::<AnswerInput>(input) {
                    let _ = world.submit(&actor, &Command::Answer { id, input: Box::new(input) });
                }
            }
            for revision in [value.clone(), json!({"subject": value}), json!({"default": value, "title": other})] {
                if let Ok(revision) = serde_json::from_value::<Revision>(revision) {
                    let _ = world.submit(&actor, &Command::Revise { id, revision: Box::new(revision) });
                }
            }
            let _ = world.submit(&actor, &Command::Consume { id, subject: value.clone(), required: Requirements::default() });
        }
        world.check_replay();
    }

    #[test]
    fn every_kind_keeps_what_it_took(value in json_value()) {
        for kind in holdpoint_core::Kind::ALL {
            let options = vec![holdpoint_core::Opt::new("a", "A"), holdpoint_core::Opt::new("b", "B")];
            let mut field = holdpoint_core::Field::new("f", kind, "F");
            if kind.picks() {
                field.options = options;
                field.custom = kind.takes_custom();
            }
            if let Ok(kept) = holdpoint_core::field::check(&field, &value) {
                prop_assert_eq!(holdpoint_core::field::check(&field, &kept), Ok(kept.clone()));
                let text = holdpoint_core::json::canonical(&kept).unwrap();
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), kept.clone());
                prop_assert_eq!(holdpoint_core::json::parse_strict(&text).unwrap(), kept);
            }
        }
    }
}

/// Random JSON that likes the words of our own shapes.
fn json_value() -> impl Strategy<Value = Value> {
    let word = select(vec![
        "f",
        "id",
        "kind",
        "options",
        "text",
        "choice",
        "a",
        "b",
        "",
        "_accept",
        "values",
        "prompt",
        "fields",
        "lat",
        "lng",
        "quantity",
        "field",
        "op",
        "EXISTS",
        "all",
        "not",
        "2026-02-30",
        "12:00:00",
        "\u{202e}",
        "out",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-200_i32..200).prop_map(|n| Value::from(f64::from(n) / 2.0)),
        word.clone().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let key = prop_oneof![4 => word.clone().prop_map(str::to_owned), 1 => any::<String>()];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}
