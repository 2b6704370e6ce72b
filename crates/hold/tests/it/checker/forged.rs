//! The judge itself: records that are not true are found out.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::judge::judge;
use super::record::{Fate, Record, Sent, Verb, Waited};

/// A small run in which all went well.
struct Scene {
    record: Record,
    log: Vec<Value>,
    finals: BTreeMap<String, Value>,
}

fn decision(status: &str, choice: &str) -> Value {
    json!({"id": "d1", "status": status, "next": null,
        "answer": {"values": {"choice": choice}, "message": "m2", "by": "ana"}})
}

fn scene() -> Scene {
    let answered = decision("answered", "a");
    let sent = |mark: &str, verb, fate| Sent { mark: mark.into(), verb, fate };
    let waited = Waited { id: "d1".into(), outcome: Some(answered.clone()), late: Duration::ZERO };
    let record = Record {
        sent: vec![
            sent("m1", Verb::Create, Fate::Done(json!({"id": "d1", "status": "pending"}))),
            sent("m2", Verb::Answer, Fate::Done(answered.clone())),
            sent("m3", Verb::Cancel, Fate::Refused(Some(answered.clone()))),
            sent("m4", Verb::Revise, Fate::Doubt),
        ],
        waited: vec![waited],
        ..Record::default()
    };
    let log = vec![
        json!({"seq": 1, "type": "decision:created", "id": "d1", "prompt": "m1", "iteration": 1}),
        json!({"seq": 2, "type": "decision:resolved", "id": "d1", "answer": {"message": "m2"}}),
    ];
    Scene { record, log, finals: BTreeMap::from([("d1".to_owned(), answered)]) }
}

/// Expects that a forged scene is found out, in these words.
#[track_caller]
fn finds(words: &str, forge: impl FnOnce(&mut Scene)) {
    let mut scene = scene();
    assert_eq!(judge(&scene.record, &scene.log, &scene.finals), Vec::<String>::new());
    forge(&mut scene);
    let findings = judge(&scene.record, &scene.log, &scene.finals);
    assert!(findings.iter().any(|finding| finding.contains(words)), "{words:?} is not among {findings:?}");
}

#[test]
fn a_lost_command_is_found_out() {
    finds("Answer m2 was acknowledged, and is there 0 times", |scene| drop(scene.log.pop()));
    finds("Create m1 was acknowledged, and is there 0 times", |scene| drop(scene.log.remove(0)));
    finds("d1, which is gone", |scene| scene.finals.clear());
}

#[test]
fn a_command_that_happened_twice_is_found_out() {
    let again = |scene: &mut Scene, at: usize| {
        let mut event = scene.log[at].clone();
        event["seq"] = json!(3);
        scene.log.push(event);
    };
    finds("Answer m2 was acknowledged, and is there 2 times", |scene| again(scene, 1));
    finds("Create m1 was acknowledged, and is there 2 times", |scene| again(scene, 0));
    finds("Revise m4 was left in doubt, and is there 2 times", |scene| {
        for seq in [3, 4] {
            scene.log.push(json!({"seq": seq, "type": "decision:revised", "id": "d1", "prompt": "m4"}));
        }
    });
}

#[test]
fn a_refused_command_that_happened_is_found_out() {
    finds("Cancel m3 was refused, and is there 1 times", |scene| {
        scene.log.push(json!({"seq": 3, "type": "decision:cancelled", "id": "d1", "reason": "m3"}));
    });
}

#[test]
fn two_outcomes_are_found_out() {
    finds("the log settled it as [\"answered\", \"timed_out\"]", |scene| {
        scene.log.push(json!({"seq": 3, "type": "decision:expired", "id": "d1"}));
    });
    finds("was told that d1 is", |scene| {
        scene.record.sent[2].fate = Fate::Refused(Some(decision("answered", "b")));
    });
    finds("the waiter for d1 was told that d1 is", |scene| {
        scene.record.waited[0].outcome = Some(decision("timed_out", "a"));
    });
}

#[test]
fn a_waiter_that_sleeps_on_is_found_out() {
    finds("was never woken", |scene| scene.record.waited[0].outcome = None);
    finds("woken for nothing", |scene| {
        scene.record.waited[0].outcome = Some(json!({"id": "d1", "status": "pending"}));
    });
    finds("was woken 60s late", |scene| scene.record.waited[0].late = Duration::from_secs(60));
}

#[test]
fn a_gap_and_a_broken_server_are_found_out() {
    finds("stands where 2 should", |scene| scene.log[1]["seq"] = json!(3));
    finds("broke the server", |scene| scene.record.sent[3].fate = Fate::Broken("500".into()));
    finds("its next round is None", |scene| {
        scene.finals.insert("d1".into(), decision("refined", "a"));
    });
}
