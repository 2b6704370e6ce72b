use holdpoint_core::{Decision, Span};
use holdpoint_protocols::beads::{Create, Respond, create, respond, view};
use serde_json::{Value, json};

use crate::through_core::{answer, ask, at, cancel, guide, id};

pub(crate) fn pending() -> Decision {
    let given = Create {
        issue: "bd-abc123".into(),
        prompt: "Which caching strategy?".into(),
        option: vec!["redis:Use Redis".into(), "memory:In memory".into()],
        default: Some("redis".into()),
        timeout: Some(Span::from_secs(60)),
        requested_by: Some("agent-session-xyz".into()),
        ..Create::default()
    };
    ask(create(&given).unwrap()).unwrap()
}

fn shown(decision: &Decision) -> Value {
    serde_json::to_value(view(decision)).unwrap()
}

/// What the view says about the outcome.
fn outcome(decision: &Decision) -> Value {
    let shown = shown(decision);
    let keys = ["status", "selected_option", "response_text", "responded_at", "responded_by"];
    Value::Array(keys.iter().map(|key| shown[*key].clone()).collect())
}

fn answered(given: &Respond) -> Decision {
    answer(&pending(), respond(&pending(), given).unwrap()).unwrap()
}

#[test]
fn a_pending_decision_has_every_key() {
    assert_eq!(
        shown(&pending()),
        json!({
            "id": id(1), "status": "pending", "project": "default", "issue_id": "bd-abc123", "prompt": "Which caching strategy?",
            "parent": null, "context": null, "urgency": "medium",
            "options": [
                {"id": "redis", "short": "redis", "label": "Use Redis", "description": null},
                {"id": "memory", "short": "memory", "label": "In memory", "description": null}
            ],
            "default_option": "redis", "selected_option": null, "response_text": null, "responded_at": null,
            "responded_by": null, "iteration": 1, "max_iterations": 3, "prior_id": null, "next_id": null, "blocks": [], "digest": pending().digest, "deadline": "2025-11-15T09:47:40Z", "guidance": null,
            "requested_by": "agent-session-xyz", "created_at": at(0)
        })
    );
}

#[test]
fn outcomes_are_told_apart() {
    let option = |id: &str| Respond { option: Some(id.into()), ..Respond::default() };
    let text = Respond { text: Some("a hybrid".into()), ..Respond::default() };
    let both = Respond { text: Some("for now".into()), ..option("memory") };
    let overdue = pending().as_of(at(60_000));
    let silent = Decision { on_timeout: holdpoint_core::OnTimeout::Expire, ..pending() }.as_of(at(60_000));
    let cases = [
        (answered(&option("memory")), json!(["answered", "memory", null, at(1_000), "ana"])),
        (answered(&both), json!(["answered", "memory", "for now", at(1_000), "ana"])),
        (answered(&text), json!(["answered", null, "a hybrid", at(1_000), "ana"])),
        (overdue, json!(["timed_out", "redis", null, at(60_000), "system:timeout"])),
        (silent, json!(["timed_out", null, null, at(60_000), "system:timeout"])),
        (cancel(&pending(), "not needed"), json!(["cancelled", null, null, at(1_000), null])),
        (guide(&pending(), "think of cost").0, json!(["refined", null, "think of cost", at(1_000), "ana"])),
    ];
    for (decision, expected) in cases {
        assert_eq!(outcome(&decision), expected);
    }
}

#[test]
fn the_next_round_names_the_one_before_and_offers_to_accept() {
    let (first, second) = guide(&pending(), "think of cost");
    let shown = shown(&second);
    assert_eq!(shown["prior_id"], json!(first.id));
    assert_eq!(shown["guidance"], "think of cost");
    assert_eq!(shown["iteration"], 2);
    let ids: Vec<&Value> = shown["options"].as_array().unwrap().iter().map(|option| &option["id"]).collect();
    assert_eq!(ids, ["redis", "memory", "_accept"]);
    let accept = Respond { option: Some("_accept".into()), ..Respond::default() };
    let accepted = answer(&second, respond(&second, &accept).unwrap()).unwrap();
    assert_eq!(outcome(&accepted), json!(["answered", "_accept", null, at(1_000), "ana"]));
}

#[test]
fn forms_from_other_doors_still_show_what_was_answered() {
    let fields = json!([
        {"id": "name", "kind": "text", "label": "Name?"},
        {"id": "size", "kind": "choice", "options": [{"id": "s"}, {"id": "m"}]},
        {"id": "tags", "kind": "choices", "options": [{"id": "a"}, {"id": "b"}]}
    ]);
    let new =
        serde_json::from_value(json!({"title": "Order", "fields": fields, "owner": "job:build"})).unwrap();
    let decision = ask(new).unwrap();
    assert_eq!(shown(&decision)["issue_id"], Value::Null);
    assert_eq!(shown(&decision)["prompt"], "Order");
    assert_eq!(shown(&decision)["options"], json!([]));
    let input =
        serde_json::from_value(json!({"values": {"name": "x", "size": "m", "tags": ["a", "b"]}})).unwrap();
    let text = outcome(&answer(&decision, input).unwrap())[2].clone();
    assert_eq!(text, r#"{"name":"x","size":"m","tags":["a","b"]}"#);
}
