//! Tests what a notification contains, and what it never does.

use serde_json::{Value, json};

use super::*;
use crate::channel::tests::{choice, decision};

fn labels(push: &Push) -> Vec<&str> {
    push.buttons.iter().map(|button| button.label.as_str()).collect()
}

#[test]
fn a_plain_question_is_answered_there() {
    let options = choice(&json!([{"id": "a", "label": "Redis"}, {"id": "b", "label": "None"}]));
    let asked = decision(&json!({ "fields": options, "priority": "urgent" }));
    let push = ask(&asked, DetailLevel::Title);
    assert_eq!((labels(&push), urgency(&asked), push.stays), (vec!["Redis", "None"], "high", true));
    assert_eq!((push.title.as_str(), push.url.as_str()), ("Decision needed in web", "/d/dcn-7k3f00000000"));
    assert!(push.body.ends_with("asks: Which cache?"), "{push:?}");
    let sent: Value = serde_json::from_str(&push.payload()).unwrap();
    assert_eq!(sent["buttons"][1]["act"], json!({"option": {"field": "choice", "option": "b"}}));
    assert_eq!((&sent["kind"], &sent["digest"]), (&json!("show"), &json!("sha256:00")));
    // Three answers do not fit: some of them would hide the others.
    let three = choice(&json!(["a", "b", "c"].map(|id| json!({ "id": id, "label": id }))));
    assert_eq!(labels(&ask(&decision(&json!({ "fields": three })), DetailLevel::Title)), [""; 0]);
}

#[test]
fn a_subject_is_declined_there_and_never_consented_to() {
    let options = choice(&json!([
        {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "refuses": true}]));
    let asked = decision(&json!({
        "fields": options, "source": "approval", "title": "Run it?", "prompt": "Please.",
        "subject": {"command": "rm -rf /tmp/x"},
    }));
    for (show, prompt, subject) in [
        (DetailLevel::Title, false, false),
        (DetailLevel::Prompt, true, false),
        (DetailLevel::All, true, true),
    ] {
        let push = ask(&asked, show);
        assert_eq!(labels(&push), ["Deny"]);
        assert_eq!(
            (push.body.contains("Please"), push.body.contains("rm -rf")),
            (prompt, subject),
            "{push:?}"
        );
    }
    for more in [json!({"needs_person": true}), json!({"source": "verdict"})] {
        let mut more = more;
        more["fields"] = options.clone();
        assert_eq!(labels(&ask(&decision(&more), DetailLevel::Title)), [""; 0], "{more}");
    }
}

#[test]
fn a_notification_fits_whatever_the_agent_wrote() {
    let long = "ü@\"\n\u{1b}".repeat(20_000);
    let options = choice(&json!(["a", "b"].map(|id| json!({ "id": id, "label": long }))));
    let asked =
        json!({ "fields": options, "title": long, "prompt": long, "requested_by": long, "project": long });
    let push = ask(&decision(&asked), DetailLevel::All);
    assert!(push.payload().len() <= MOST_BYTES, "{}", push.payload().len());
    assert!(push.buttons.is_empty(), "labels that do not fit are for the card");
    let ids = choice(&json!(["a", "b"].map(|id| json!({ "id": format!("{id}{long}"), "label": id }))));
    let push = ask(&decision(&json!({ "fields": ids })), DetailLevel::All);
    assert!(push.payload().len() <= MOST_BYTES && push.buttons.is_empty());
    assert!(settled("dcn-1", &long).payload().len() <= MOST_BYTES);
}

#[test]
fn a_crowd_is_counted() {
    assert_eq!(
        (many("m", 240).title, many("m", 1).title),
        ("240 more decisions wait".into(), "1 more decision waits".into())
    );
    assert_eq!((many("m", 0).kind, many("m", 2).kind), (Kind::Close, Kind::Show));
}
