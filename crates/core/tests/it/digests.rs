//! Digests: golden values, so that what was signed years ago still verifies.

use crate::world::World;
use holdpoint_core::decision::subject_digest;
use holdpoint_core::{Actor, Command, Decision};
use serde_json::{Value, json};

fn ask(new: Value) -> Decision {
    let mut world = World::new();
    let command = Command::Create(Box::new(serde_json::from_value(new).unwrap()));
    world.submit(&Actor::claimed("ana", "test"), &command).unwrap();
    world.decisions.into_values().next().unwrap()
}

fn whole() -> Value {
    json!({
        "project": "web", "source": "approval", "title": "Run it", "prompt": "Run **this**?",
        "fields": [
            {"id": "ok", "kind": "confirm", "options": [{"id": "yes", "recommended": true}, {"id": "no"}]},
            {"id": "how", "kind": "products", "required": false, "description": "D", "min": 1, "max": 2.0,
             "visible_if": {"any": [{"field": "ok", "op": "EQUALS", "value": "yes"}]},
             "options": [{"id": "a", "label": "A", "rating": 4.5, "quote": {"price": "1"}, "variants": [{"id": "b"}]}]},
        ],
        "outs": [{"id": "cancel", "effect": "cancel"}],
        "subject": {"cmd": ["rm", "-r"], "n": 1.0},
    })
}

#[test]
fn golden_digests() {
    let decision = ask(whole());
    assert_eq!(decision.digest, "sha256:dfe30f2bdbb810ef3aa4293c51052477f0faa072e8e713b19f2135dbc70022af");
    assert_eq!(
        decision.subject_digest.as_deref(),
        Some("sha256:a15795aed1485822f8d4446667c3866900cdf089c4072931d24117a518115273")
    );
    let small = ask(json!({"prompt": "P", "fields": [{"id": "t", "kind": "text"}]}));
    assert_eq!(small.digest, "sha256:f14d57b91b0bec99386714ad92660a5f5d9e43452f56ae9b84ece0aedd5d0b29");
    assert_eq!(small.subject_digest, None);
    // The canonical text of null, checked by hand: printf null | sha256sum.
    let null = "sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b";
    assert_eq!(subject_digest(&json!(null)).as_deref(), Ok(null));
}

#[test]
fn the_order_of_keys_and_the_form_of_numbers_do_not_count() {
    let text = whole().to_string();
    let mut shuffled = whole();
    let object = shuffled.as_object_mut().unwrap();
    let mut entries: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
    entries.reverse();
    let body =
        entries.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect::<Vec<_>>().join(",");
    let backwards = format!("{{{body}}}");
    assert_ne!(text, backwards);
    assert_eq!(ask(serde_json::from_str(&backwards).unwrap()).digest, ask(whole()).digest);
    for (left, right) in [
        (r#"{"a":1,"b":[2,"é"]}"#, r#"{"b":[2.0,"\u00e9"],"a":1e0}"#),
        ("0", "-0.0"),
        ("1000", "1e3"),
        ("0.1", "1e-1"),
    ] {
        let digest = |text: &str| subject_digest(&serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(digest(left), digest(right), "{left} and {right}");
    }
    for (left, right) in
        [("1", "\"1\""), ("null", "{}"), ("[]", "{}"), ("\"e\"", "\"é\""), ("[1,2]", "[2,1]")]
    {
        let digest = |text: &str| subject_digest(&serde_json::from_str(text).unwrap()).unwrap();
        assert_ne!(digest(left), digest(right), "{left} and {right}");
    }
}

#[test]
fn everything_asked_counts_and_nothing_else() {
    let first = ask(whole()).digest;
    let with = |key: &str, value: Value| {
        let mut new = whole();
        new[key] = value;
        ask(new).digest
    };
    for (key, value) in [
        ("project", json!("other")),
        ("source", json!("question")),
        ("title", json!("Run it!")),
        ("title", json!(null)),
        ("prompt", json!("Run **that**?")),
        ("fields", json!([{"id": "ok", "kind": "confirm", "options": [{"id": "yes"}, {"id": "no"}]}])),
        ("outs", json!([])),
        ("subject", json!({"cmd": ["rm", "-rf"], "n": 1})),
    ] {
        assert_ne!(with(key, value.clone()), first, "{key}: {value}");
    }
    for (key, value) in [
        ("owner", json!("job:x")),
        ("requested_by", json!("agent-7")),
        ("assignees", json!(["ana"])),
        ("priority", json!("high")),
        ("timeout", json!("1h")),
        ("max_iterations", json!(7)),
        ("default", json!({"ok": "no"})),
        ("origin", json!({"protocol": "aitp"})),
    ] {
        assert_eq!(with(key, value.clone()), first, "{key}: {value}");
    }
}

#[test]
fn rounds_count_and_the_offer_to_accept_does_not() {
    let mut world = World::new();
    let actor = Actor::claimed("ana", "test");
    let new = json!({"prompt": "P", "fields": [{"id": "c", "kind": "choice", "options": [{"id": "a"}]}]});
    world.submit(&actor, &Command::Create(Box::new(serde_json::from_value(new).unwrap()))).unwrap();
    let first = world.decisions.values().next().unwrap().clone();
    let guide = |words: &str| Box::new(serde_json::from_value(json!({ "guidance": words })).unwrap());
    world.submit(&actor, &Command::Answer { id: first.id, input: guide("x") }).unwrap();
    let second = world.decisions.values().find(|decision| decision.iteration == 2).unwrap().clone();
    assert_eq!(second.fields[0].options.len(), 2);
    assert_ne!(second.digest, first.digest);
    // What the canonical text of the round is, with the words and without the offer.
    let asked = json!({
        "project": "default", "source": "question", "title": null, "prompt": "P", "outs": [], "subject": null,
        "iteration": 2, "guidance": "x", "fields": first.fields,
    });
    assert_eq!(second.digest, holdpoint_core::json::digest(&asked).unwrap());
}
