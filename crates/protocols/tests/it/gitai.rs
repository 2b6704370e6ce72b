//! Runs and verdicts as others write them: what was written reads and writes the same, byte for byte.

use holdpoint_core::Timestamp;
use holdpoint_core::run::ObjectId;
use holdpoint_protocols::gitai::{
    ActorKind, ActorRef, Header, IntegrityHash, Moment, Object, ObjectType, layout, run,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Objects of every type with every kind of content. `just interop` holds them against the crate they come from.
const OBJECTS: &str = include_str!("gitai_objects/objects.jsonl");

fn objects() -> Vec<Value> {
    OBJECTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn first(kind: &str) -> Map<String, Value> {
    objects().into_iter().find(|object| object["object_type"] == kind).unwrap().as_object().unwrap().clone()
}

fn read(object: &Map<String, Value>) -> Result<Object, String> {
    Object::read_any(&Value::Object(object.clone()).to_string())
}

#[test]
fn every_object_writes_as_it_was_read() {
    let mut seen = std::collections::BTreeSet::new();
    for line in OBJECTS.lines() {
        let object = Object::read_any(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(object.text().unwrap(), line);
        seen.insert(object.kind());
        let (kind, id) = layout::parse_path(&layout::path(&object)).unwrap();
        assert_eq!((kind, id), (object.kind(), object.header().object_id));
        assert_eq!(Object::read(kind, line).as_ref(), Ok(&object));
    }
    assert_eq!(seen.len(), ObjectType::ALL.len(), "every type is among them");
}

#[test]
fn folders_differ_from_types_where_they_must() {
    for (kind, folder) in [
        ("patch_set", "patchset"),
        ("context_snapshot", "snapshot"),
        ("tool_invocation", "invocation"),
        ("run", "run"),
    ] {
        let object = read(&first(kind)).unwrap();
        assert_eq!(layout::message(&object), format!("Update {folder}/{}", object.header().object_id));
    }
    for wrong in ["decision", "patch_set/01a1dca4-d331-73e3-8cfb-000000000001", "run/x", "run/../task"] {
        assert!(layout::parse_path(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_others_refuse_is_refused() {
    for (kind, key, value) in [
        ("decision", "colour", json!("red")),
        ("decision", "created_by", json!({"kind": "human", "id": "a", "mail": "x"})),
        ("decision", "result_commit_sha", json!("ab".repeat(20))),
        ("decision", "result_commit_sha", json!("zz".repeat(32))),
        ("decision", "run_id", json!("1")),
        ("decision", "run_id", Value::Null),
        ("decision", "created_at", json!("yesterday")),
        ("decision", "version", json!(256)),
        ("task", "goal", json!("spike")),
        ("task_event", "kind", json!("paused")),
        ("run_event", "kind", json!("paused")),
        ("plan_step_event", "status", json!("paused")),
        ("patch_set", "format", json!("ed")),
        (
            "patch_set",
            "touched",
            json!([{"path": "a", "change_type": "chmod", "lines_added": 0, "lines_deleted": 0}]),
        ),
        ("tool_invocation", "status", json!("maybe")),
        ("context_snapshot", "selection_strategy", json!("luck")),
        ("context_snapshot", "items", json!([{"kind": "mail", "path": "a"}])),
        ("context_snapshot", "items", json!([{"kind": "file", "path": "a", "blob": "ab"}])),
        ("context_snapshot", "items", json!([{"kind": "file", "path": "a", "blob": {"Sha1": [1]}}])),
        ("context_frame", "kind", json!("human_decision")),
        ("run", "environment", json!({"os": "a", "arch": "b", "cwd": "c", "ci": true})),
        ("run_usage", "input_tokens", json!(-1)),
    ] {
        let mut object = first(kind);
        object.insert(key.into(), value.clone());
        assert!(read(&object).is_err(), "{kind} {key} {value}");
    }
}

#[test]
fn what_others_take_is_taken_and_written_their_way() {
    for (kind, key, value, written) in [
        ("decision", "decision_type", json!("defer"), json!("defer")),
        ("decision", "rationale", Value::Null, Value::Null),
        ("decision", "result_commit_sha", json!("AB".repeat(32)), json!("ab".repeat(32))),
        ("decision", "created_at", json!("2026-11-15T01:39:11.50+01:00"), json!("2026-11-15T00:39:11.500Z")),
        (
            "decision",
            "run_id",
            json!("01A1DCA4D33173E38CFB758E798222E6"),
            json!("01a1dca4-d331-73e3-8cfb-758e798222e6"),
        ),
        ("intent_event", "kind", json!("paused"), json!("paused")),
        ("evidence", "kind", json!("review"), json!("review")),
        ("intent", "parents", json!([]), Value::Null),
        ("intent", "spec", Value::Null, Value::Null),
        ("task", "goal", json!({"other": "spike"}), json!({"other": "spike"})),
    ] {
        let mut object = first(kind);
        object.insert(key.into(), value);
        let text = read(&object).unwrap().text().unwrap();
        let text: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(text.get(key).cloned().unwrap_or_default(), written, "{kind} {key}");
    }
    for (kind, key, written) in [
        ("plan", "steps", json!([])),
        ("patch_set", "touched", json!([])),
        ("tool_invocation", "args", Value::Null),
    ] {
        let mut object = first(kind);
        object.remove(key);
        let text: Value = serde_json::from_str(&read(&object).unwrap().text().unwrap()).unwrap();
        assert_eq!(text.get(key), Some(&written), "{kind} {key} is always written");
    }
}

#[test]
fn what_is_only_odd_is_named() {
    let odd = |change: &[(&str, Value)]| {
        let mut object = first("decision");
        object.extend(change.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        Object::read(ObjectType::Decision, &Value::Object(object).to_string()).unwrap().oddities()
    };
    assert!(odd(&[]).is_empty());
    assert_eq!(odd(&[("object_type", json!("plan"))]), ["says it is a plan"]);
    assert_eq!(odd(&[("version", json!(0))]), ["is of version 0, not 1"]);
    assert_eq!(odd(&[("object_id", json!("00000000-0000-4000-8000-000000000000"))]).len(), 1);
    assert_eq!(odd(&[("created_by", json!({"kind": "human", "id": " "}))]), ["does not say who made it"]);
    let sums: Vec<_> =
        objects().iter().filter(|object| object["object_type"] == "run_usage").cloned().collect();
    let odd: Vec<_> =
        sums.iter().map(|usage| Object::read_any(&usage.to_string()).unwrap().oddities().len()).collect();
    assert_eq!(odd, [0, 1]);
}

#[test]
fn short_commit_names_are_filled_up() {
    let short = "11f6ad8ec52a2984abaafd7c3b516503785c2072";
    let hash = IntegrityHash::of_commit(short).unwrap();
    assert_eq!(hash.to_string(), format!("{short}{}", "0".repeat(24)));
    assert_eq!(hash.commit(), short);
    let long = "ab".repeat(32);
    assert_eq!(IntegrityHash::of_commit(&long).unwrap().commit(), long);
    assert!(IntegrityHash::of_commit("abc").is_err());
    assert!("é".repeat(32).parse::<IntegrityHash>().is_err());
}

#[test]
fn a_new_object_has_its_keys_in_order() {
    let id = |n: u8| ObjectId::at(Timestamp::from_millis(1_763_164_800_123), [n; 10]);
    let by = ActorRef { kind: ActorKind::Human, id: "alice".into(), display_name: None };
    let at = Moment::from(Timestamp::from_millis(1_763_164_800_123));
    let verdict = run::Decision {
        header: Header::new(id(1), ObjectType::Decision, at, by),
        run_id: id(2),
        decision_type: run::DecisionType::Abandon,
        chosen_patchset_id: None,
        result_commit_sha: None,
        checkpoint_id: None,
        rationale: Some("no".into()),
    };
    let text = Object::from(verdict).text().unwrap();
    let expected = format!(
        r#"{{"object_id":"{}","object_type":"decision","version":1,"created_at":"2025-11-15T00:00:00.123Z","created_by":{{"kind":"human","id":"alice"}},"run_id":"{}","decision_type":"abandon","rationale":"no"}}"#,
        id(1),
        id(2)
    );
    assert_eq!(text, expected);
}

proptest! {
    /// Whatever is read writes to something that reads as the same, and nothing panics.
    #[test]
    fn damaged_objects_are_refused_or_kept(which in 0usize..1000, at in 0usize..2000, byte in any::<u8>()) {
        let lines: Vec<_> = OBJECTS.lines().collect();
        let mut bytes = lines[which % lines.len()].as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(object) = Object::read_any(&String::from_utf8_lossy(&bytes)) {
            let text = object.text().unwrap();
            prop_assert_eq!(Object::read(object.kind(), &text), Ok(object));
        }
    }

    #[test]
    fn times_keep_every_digit(seconds in -60_000_000_000i64..250_000_000_000, nanos in 0u32..1_000_000_000, step in 0u32..4) {
        let nanos = nanos / 1000u32.pow(step.min(3)) * 1000u32.pow(step.min(3)) % 1_000_000_000;
        let text = jiff::Timestamp::new(seconds, i32::try_from(nanos).unwrap()).unwrap().to_string();
        let moment: Moment = text.parse().unwrap();
        let written = moment.to_string();
        prop_assert_eq!(written.parse::<Moment>().unwrap(), moment);
        let digits = written.split_once('.').map_or(0, |(_, rest)| rest.len() - 1);
        prop_assert!([0, 3, 6, 9].contains(&digits), "{}", written);
    }
}
