//! What was written must keep reading: one fixture for each event type and version.
//!
//! A fixture is never edited. When the shape of an event changes, its old fixture stays and must still read.

use std::collections::BTreeSet;
use std::path::PathBuf;

use holdpoint_core::{Event, apply, json};
use serde_json::Value;

fn fixtures() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/events");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// All tags there are; a new event type fails here until it has a fixture.
pub(crate) const TAGS: [&str; 58] = [
    "decision:created",
    "decision:revised",
    "decision:drafted",
    "decision:resolved",
    "decision:refined",
    "decision:expired",
    "decision:cancelled",
    "decision:superseded",
    "decision:consumed",
    "decision:reported",
    "decision:remarked",
    "decision:removed",
    "item:created",
    "item:deleted",
    "thread:created",
    "thread:posted",
    "thread:asked",
    "thread:replied",
    "thread:removed",
    "project:updated",
    "token:created",
    "token:revoked",
    "person:updated",
    "person:removed",
    "auth:updated",
    "log:accepted",
    "key:rotated",
    "key:revoked",
    "run:started",
    "run:imported",
    "run:patched",
    "run:evidenced",
    "run:used",
    "run:recorded",
    "run:commented",
    "run:asked",
    "run:decided",
    "job:resume",
    "job:cancel",
    "step:completed",
    "crew:resume",
    "crew:cancel",
    "crew:updated",
    "session:input",
    "session:respond",
    "job:created",
    "crew:created",
    "job:claimed",
    "job:advanced",
    "job:suspend",
    "job:retried",
    "job:deleted",
    "step:started",
    "step:waiting",
    "step:missed",
    "step:attempted",
    "step:resumed",
    "step:failed",
];

#[test]
fn every_event_that_was_ever_written_still_reads() {
    let mut seen = BTreeSet::new();
    for (name, text) in fixtures() {
        let (tag, version) = name.strip_suffix(".json").unwrap().rsplit_once(".v").unwrap();
        let event: Event = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(event.tag(), tag.replace('.', ":"), "{name}");
        assert!(matches!(version, "1" | "2" | "3"), "{name}");
        let written = serde_json::to_value(&event).unwrap();
        let mut read: Value = serde_json::from_str(&text).unwrap();
        if tag == "decision.created" && version == "1" {
            // A resource has all keys, null where empty: those that came later too.
            read["asked_by"] = Value::Null;
        }
        assert_eq!(written, read, "{name} is written as it is read");
        assert_eq!(written["type"], event.tag());
        seen.insert(event.tag());
    }
    assert_eq!(seen, TAGS.into_iter().collect());
}

#[test]
fn the_fixtures_tell_a_story() {
    let find = |tag: &str| {
        let (_, text) =
            fixtures().into_iter().find(|(name, _)| name.starts_with(&tag.replace(':', "."))).unwrap();
        serde_json::from_str::<Event>(&text).unwrap()
    };
    let created = find("decision:created");
    let Event::Created(decision) = &created else { panic!("a decision was created") };
    let at = decision.created_at;
    for (tag, status) in [
        ("decision:revised", "pending"),
        ("decision:drafted", "pending"),
        ("decision:resolved", "answered"),
        ("decision:refined", "refined"),
        ("decision:expired", "timed_out"),
        ("decision:cancelled", "cancelled"),
        ("decision:superseded", "superseded"),
    ] {
        let after = apply(apply(None, &created, at), &find(tag), at).unwrap();
        assert_eq!(after.status.name(), status, "{tag}");
        assert_eq!(after.settled_at.is_some(), status != "pending", "{tag}");
    }
    let answered = apply(apply(None, &created, at), &find("decision:resolved"), at);
    assert_eq!(apply(answered.clone(), &find("decision:consumed"), at).unwrap().consumed_at, Some(at));
    let reported = apply(answered.clone(), &find("decision:reported"), at).unwrap();
    assert_eq!((reported.reports.len(), reported.status.name()), (1, "answered"));
    assert_eq!(apply(answered.clone(), &find("decision:removed"), at), None);
    // What happens to others leaves it as it is.
    assert_eq!(apply(answered.clone(), &find("item:created"), at), answered);
    assert_eq!(apply(answered.clone(), &find("job:resume"), at), answered);
    assert_eq!(apply(None, &find("decision:resolved"), at), None);
}

#[test]
fn the_body_is_canonical_and_without_surprises() {
    for (name, text) in fixtures() {
        let event: Event = serde_json::from_str(&text).unwrap();
        let body = json::canonical(&event).unwrap();
        let again: Event = serde_json::from_str(&body).unwrap();
        assert_eq!(again, event, "{name}");
        assert_eq!(json::canonical(&again).unwrap(), body, "{name}");
    }
}

#[test]
fn unknown_events_do_not_read() {
    assert!(serde_json::from_str::<Event>(r#"{"type":"decision:forgotten","id":"x"}"#).is_err());
    assert!(serde_json::from_str::<Event>(r#"{"type":"decision:removed","id":"nonsense"}"#).is_err());
    assert!(serde_json::from_str::<Event>("{}").is_err());
}
