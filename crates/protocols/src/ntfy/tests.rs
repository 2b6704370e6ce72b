//! Tests what a push message contains, and what it never does.

use serde_json::json;

use super::*;
use crate::channel::tests::{choice, decision};

fn addresses(count: usize) -> Addresses {
    let acts = (0..count).map(|at| format!("https://h/take/{at}")).collect();
    Addresses { card: Some("https://h/d/x".into()), acts }
}

fn buttons(message: &Value) -> Vec<(String, String)> {
    let actions = message["actions"].as_array().cloned().unwrap_or_default();
    let text = |action: &Value, key: &str| action[key].as_str().unwrap().to_owned();
    actions.iter().map(|action| (text(action, "label"), text(action, "url"))).collect()
}

#[test]
fn a_plain_question_is_answered_there() {
    let options = choice(&json!([{"id": "a", "label": "Redis"}, {"id": "b", "label": "None"}]));
    let asked = decision(&json!({ "fields": options, "priority": "urgent" }));
    let message = message("t", &asked, DetailLevel::Title, &addresses(2));
    assert_eq!(
        buttons(&message),
        [("Redis", "https://h/take/0"), ("None", "https://h/take/1"), ("Open", "https://h/d/x")]
            .map(|(label, url)| (label.to_owned(), url.to_owned()))
    );
    assert_eq!(message["actions"][0]["method"], "POST");
    assert_eq!((&message["priority"], &message["sequence_id"]), (&json!(5), &json!("hold-dcn-7k3f00000000")));
    assert_eq!(message["title"], "Decision needed in web");
    assert!(message["message"].as_str().unwrap().ends_with("asks: Which cache?"), "{message}");
    // Four answers do not fit: none is shown, only the card.
    let many = choice(&json!(["a", "b", "c", "d"].map(|id| json!({ "id": id, "label": id }))));
    let many = super::message("t", &decision(&json!({ "fields": many })), DetailLevel::Title, &addresses(4));
    assert_eq!(buttons(&many), [("Open".to_owned(), "https://h/d/x".to_owned())]);
}

#[test]
fn a_subject_is_declined_there_and_never_consented_to() {
    let options = choice(&json!([
        {"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "refuses": true}]));
    let asked = decision(&json!({
        "fields": options, "source": "approval", "title": "Run it?", "subject": {"command": "rm -rf /tmp/x"},
    }));
    assert_eq!(controls(&asked).iter().map(|control| control.label.as_str()).collect::<Vec<_>>(), ["Deny"]);
    for (show, words) in [(DetailLevel::Title, false), (DetailLevel::Prompt, false), (DetailLevel::All, true)]
    {
        let message = message("t", &asked, show, &addresses(1));
        let labels: Vec<String> = buttons(&message).into_iter().map(|(label, _)| label).collect();
        assert_eq!(labels, ["Deny", "Open"]);
        assert_eq!(message["message"].as_str().unwrap().contains("rm -rf"), words, "{message}");
    }
}

#[test]
fn what_is_settled_is_quiet_and_offers_nothing() {
    let options = choice(&json!([{"id": "a", "label": "Redis"}]));
    let answer = json!({
        "values": {"choice": "a"}, "out": null, "message": null, "by": "bo", "via": "web", "auth": "session",
        "at": "2026-01-01T00:00:00Z",
    });
    let settled = decision(&json!({ "fields": options, "status": "answered", "answer": answer }));
    let message = message("t", &settled, DetailLevel::All, &addresses(1));
    assert_eq!(message["title"], "Answered by bo: Redis");
    assert_eq!((message.get("actions"), &message["priority"]), (None, &json!(1)));
}

#[test]
fn a_message_fits_whatever_the_agent_wrote() {
    let long = "ü@\"\n".repeat(20_000);
    let options = choice(&json!(["a", "b", "c"].map(|id| json!({ "id": id, "label": long }))));
    let asked = decision(&json!({ "fields": options, "title": long, "prompt": long, "requested_by": long }));
    let addresses = Addresses { card: Some("x".repeat(600)), acts: vec!["x".repeat(600); 3] };
    let message = message("t", &asked, DetailLevel::All, &addresses);
    assert_eq!(buttons(&message).len(), 1, "labels that do not fit are for the card");
    let body = message.to_string();
    assert!(message["message"].as_str().unwrap().len() <= 4_096 && body.len() <= 8_192, "{}", body.len());
}
