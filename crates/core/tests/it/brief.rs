//! Lists show a long decision in short: what is left out is named, and everything else is as it was.

use crate::world::World;
use holdpoint_core::decision::brief;
use holdpoint_core::{Actor, Command, Decision};
use proptest::prelude::*;
use serde_json::{Value, json};

fn asked(new: Value) -> Decision {
    let mut world = World::new();
    let command = Command::Create(Box::new(serde_json::from_value(new).unwrap()));
    world.submit(&Actor::claimed("ana", "test"), &command).unwrap();
    world.decisions.into_values().next().unwrap()
}

fn short(decision: &Decision) -> Option<Decision> {
    let text = brief(&serde_json::to_string(decision).unwrap()).unwrap()?;
    Some(serde_json::from_str(&text).unwrap())
}

fn long(length: usize) -> String {
    "\u{e9}\"".repeat(length / 3)
}

#[test]
fn what_is_long_is_named_and_the_rest_stays() {
    let fields = json!([{"id": "t", "kind": "text", "label": "Why?"}]);
    let many: Value = (0..2_000).map(|n| json!({"id": format!("option-{n}"), "label": long(60)})).collect();
    let whole = asked(json!({"prompt": "P", "fields": fields, "subject": "x"}));
    assert_eq!(short(&whole), None);
    for (new, truncated) in [
        (json!({"prompt": "P", "fields": fields, "subject": long(100_000)}), vec!["subject"]),
        (json!({"prompt": long(100_000), "fields": fields, "subject": "x"}), vec!["prompt", "subject"]),
        (json!({"prompt": "P", "fields": [{"id": "c", "kind": "choice", "options": many}]}), vec!["fields"]),
        (
            json!({"title": long(9_000), "prompt": long(80_000), "fields": fields, "subject": long(9_000)}),
            vec!["title", "prompt", "subject"],
        ),
    ] {
        let whole = asked(new);
        let short = short(&whole).unwrap();
        assert_eq!(short.truncated, truncated);
        let is_start = |short: &Option<String>, whole: &Option<String>| match (short, whole) {
            (Some(short), Some(whole)) => whole.starts_with(short.trim_end_matches('…')),
            (short, whole) => short == whole,
        };
        assert!(is_start(&short.title, &whole.title) && is_start(&short.prompt, &whole.prompt));
        // With what was left out put back, it is the same.
        let back = Decision {
            title: whole.title.clone(),
            prompt: whole.prompt.clone(),
            fields: whole.fields.clone(),
            subject: whole.subject.clone(),
            truncated: Vec::new(),
            ..short
        };
        assert_eq!(back, whole);
    }
}

#[test]
fn a_long_answer_is_cut_short_and_still_says_by_whom() {
    let decision = asked(json!({"prompt": "P", "fields": [{"id": "t", "kind": "text", "label": "Why?"}]}));
    let mut document = serde_json::to_value(decision).unwrap();
    document["status"] = json!("answered");
    document["answer"] = json!({
        "values": {"t": long(70_000)}, "out": null, "message": long(5_000), "by": "bo", "via": "web",
        "auth": "session", "at": "2026-01-01T00:00:00Z",
    });
    let whole: Decision = serde_json::from_value(document).unwrap();
    let short = short(&whole).unwrap();
    assert_eq!(short.truncated, ["answer"]);
    let answer = short.answer.unwrap();
    assert_eq!((answer.values.len(), answer.by.as_str()), (0, "bo"));
    assert!(answer.message.unwrap().len() < 2_100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Whatever an agent writes, the short form can be read and is short.
    #[test]
    fn any_text_has_a_short_form(title in ".{0,400}", prompt in any::<String>(), pad in 65_536_usize..70_000) {
        prop_assume!(!title.trim().is_empty());
        let fields = json!([{"id": "t", "kind": "text", "label": "Why?"}]);
        let new = json!({"title": title, "prompt": prompt.repeat(40), "fields": fields, "subject": [prompt, "\u{0}".repeat(pad)]});
        let command = Command::Create(Box::new(serde_json::from_value(new).unwrap()));
        let mut world = World::new();
        // Some of it is refused.
        if world.submit(&Actor::claimed("ana", "test"), &command).is_ok() {
            let whole = world.decisions.into_values().next().unwrap();
            let short = short(&whole).unwrap();
            prop_assert!(short.truncated.contains(&"subject".to_owned()));
            prop_assert!(serde_json::to_string(&short).unwrap().len() < 16_384);
            prop_assert_eq!((short.id, short.digest, short.subject_digest), (whole.id, whole.digest, whole.subject_digest));
        }
    }
}
