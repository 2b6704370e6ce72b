//! Tests the content of desktop notifications, what they never offer, and the events of the desktop.

use serde_json::json;

use super::*;
use crate::channel::tests::{choice, decision};

fn asking(ids: &[&str]) -> serde_json::Value {
    let options: Vec<_> =
        ids.iter().map(|id| json!({"id": id, "label": id, "refuses": *id == "deny"})).collect();
    json!({ "fields": choice(&json!(options)) })
}

#[test]
fn a_plain_question_is_answered_and_a_subject_is_not_consented_to() {
    let plain = decision(&asking(&["yes", "no"]));
    let names: Vec<String> = notice(&plain, true).actions.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["answer-0", "answer-1", OPEN]);
    let many = decision(&asking(&["a", "b", "c", "d"]));
    assert_eq!(notice(&many, true).actions, [(OPEN.to_owned(), "Open".to_owned())]);
    assert_eq!(notice(&many, false).actions, []);
    let mut document = asking(&["approve", "deny"]);
    document["source"] = json!("approval");
    document["subject"] = json!({"command": "rm -rf /"});
    let approval = decision(&document);
    let offered = controls(&approval);
    assert_eq!(offered.iter().map(|control| control.label.as_str()).collect::<Vec<_>>(), ["deny"]);
    assert!(notice(&approval, true).actions.iter().all(|(_, label)| label != "approve"));
}

#[test]
fn what_an_agent_wrote_is_text() {
    let mut document = asking(&["yes"]);
    document["title"] = json!("<b>x</b> & \"y\" \\ \u{202e}\u{1b}[31m\nz");
    let shown = notice(&decision(&document), true);
    assert!(!shown.body.contains(['\u{1b}', '\u{202e}', '\n']), "{shown:?}");
    assert_eq!(plain("<a href='x'>&</a>"), "&lt;a href='x'&gt;&amp;&lt;/a&gt;");
    assert_eq!(variant("a\"b\\c\n\u{7}é"), "\"a\\\"b\\\\c\\n\\u0007é\"");
}

#[test]
fn what_the_desktop_says_is_read_or_left() {
    let line =
        "/org/freedesktop/Notifications: org.freedesktop.Notifications.ActionInvoked (uint32 5, 'answer-0')";
    assert_eq!(parse_event(line), Some(NotificationEvent::Clicked(5, "answer-0".into())));
    let line = "/org/freedesktop/Notifications: org.freedesktop.Notifications.NotificationClosed (uint32 7, uint32 2)";
    assert_eq!(parse_event(line), Some(NotificationEvent::Closed(7)));
    for line in [
        "",
        "Monitoring signals on object /org/freedesktop/Notifications owned by org.freedesktop.Notifications",
        "x: org.freedesktop.Notifications.ActionInvoked (uint32 5, answer-0)",
        "x: org.freedesktop.Notifications.ActionInvoked (uint32 99999999999, 'a')",
        "x: org.freedesktop.Notifications.ActionInvoked (uint32 -5, 'a')",
        "x: org.freedesktop.Notifications.ActionInvoked",
        "x: org.freedesktop.Notifications.Other (uint32 5, 'a')",
        "x: org.freedesktop.Notifications.ActionInvoked ()",
    ] {
        assert_eq!(parse_event(line), None, "{line}");
    }
    assert_eq!(id("(uint32 12,)\n"), Some(12));
    for text in ["", "(uint32 0,)", "12", "(uint32 x,)", "(uint32 4294967296,)", "Error: nothing"] {
        assert_eq!(id(text), None, "{text}");
    }
    for (action, at) in [
        ("answer-0", Some(0)),
        ("answer-", None),
        ("default", None),
        ("answer--1", None),
        ("answer-9x", None),
    ] {
        assert_eq!(answer(action), at, "{action}");
    }
}
