//! What is to be sent is sent by one node; what a killed node took is sent by another, with the same id.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::nodes::Shared;
use crate::receiver::{Receiver, Reply};
use crate::sandbox::at;
use crate::serving::outbox_until;

fn webhook(receiver: &Receiver, more: &str) -> String {
    let mut text = "[hooks]\ndesktop = false\n".to_owned();
    let url = receiver.url("/");
    write!(text, "[[webhook]]\nname = \"w\"\nurl = \"{url}\"\nsecret_env = \"HOOK_SECRET\"\nallow_private = true\n{more}\n")
        .unwrap();
    text
}

#[test]
fn a_webhook_is_called_once() {
    let shared = Shared::new();
    let receiver = Receiver::start(&[]);
    let nodes: [_; 3] = shared.nodes_with(|_| webhook(&receiver, ""));
    let mut expected = BTreeSet::new();
    for round in 0..15 {
        let id = nodes[round % 3].nobody().ask();
        nodes[(round + 1) % 3].nobody().answer(&id, "a").is(200);
        expected.extend([(id.clone(), "decision:created".to_owned()), (id, "decision:resolved".to_owned())]);
    }
    let mut ids = BTreeSet::new();
    let mut told = BTreeSet::new();
    for _ in 0..30 {
        let request = receiver.next();
        assert!(ids.insert(request.id().to_owned()), "came twice: {}", request.body);
        let body = request.json();
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).unwrap().to_owned();
        told.insert((text("/decision/id"), text("/event/type")));
    }
    assert_eq!(told, expected);
    outbox_until(&shared.sandbox(), <[_]>::is_empty);
    receiver.is_quiet();
}

#[test]
fn what_a_killed_node_was_sending_is_sent_by_another() {
    let shared = Shared::new();
    let receiver = Receiver::start(&[Reply::Hang]);
    let [mut first] =
        shared.nodes_with(|_| webhook(&receiver, "timeout = \"500ms\"\noccasions = [\"create\"]"));
    let id = first.nobody().ask();
    let taken = receiver.next();
    first.kill();
    let [_second] = shared.nodes_with(|_| webhook(&receiver, ""));
    let again = receiver.next();
    assert_eq!((again.id(), &again.body.contains(&id)), (taken.id(), &true));
    outbox_until(&shared.sandbox(), <[_]>::is_empty);
}

#[test]
fn a_command_is_run_once() {
    let shared = Shared::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told");
    let settings = |_: usize| {
        let line = format!("cat >> {0} && echo >> {0}", file.display());
        format!("[hooks]\ndesktop = false\non_decision_respond = \"{line}\"\n")
    };
    let nodes: [_; 3] = shared.nodes_with(settings);
    let mut expected = BTreeSet::new();
    for round in 0..9 {
        let id = nodes[round % 3].nobody().ask();
        nodes[(round + 2) % 3].nobody().answer(&id, "b").is(200);
        expected.insert(id);
    }
    outbox_until(&shared.sandbox(), <[_]>::is_empty);
    let text = std::fs::read_to_string(&file).unwrap();
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), expected.len(), "{text}");
    for one in &told {
        at(one, "/decision/answer/values/choice", "b");
        assert!(expected.remove(one["decision"]["id"].as_str().unwrap()), "{one}");
    }
}
