//! Questions as forms of a client, and what is filled in there.

use holdpoint_core::Decision;
use holdpoint_protocols::mcp::form::{FormDisplay, filled, show};
use holdpoint_protocols::mcp::peer::Peer;
use serde_json::{Value, json};

use crate::through_core::{answer, ask};

fn asked(fields: &Value) -> Decision {
    ask(serde_json::from_value(json!({"prompt": "Pick a colour", "fields": fields})).unwrap()).unwrap()
}

fn form(decision: &Decision) -> Value {
    match show(decision, &Peer { form: true, ..Peer::default() }, None) {
        FormDisplay::Form(form) => form,
        other => panic!("no form: {other:?}"),
    }
}

#[test]
fn a_form_is_flat_and_of_the_few_kinds_that_clients_know() {
    let decision = asked(&json!([
        {"id": "colour", "kind": "choice", "label": "Colour", "options": [{"id": "r", "label": "Red"}, {"id": "g", "label": "Green"}]},
        {"id": "sizes", "kind": "choices", "custom": true, "options": [{"id": "s", "label": "S"}]},
        {"id": "count", "kind": "integer", "min": 1, "max": 9},
        {"id": "mail", "kind": "email", "required": false},
    ]));
    let form = form(&decision);
    assert_eq!((&form["mode"], &form["message"]), (&json!("form"), &json!("Pick a colour")));
    let schema = &form["requestedSchema"];
    assert_eq!(schema["required"], json!(["colour", "count"]));
    let properties = &schema["properties"];
    assert_eq!(
        properties["colour"],
        json!({"type": "string", "title": "Colour", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]})
    );
    assert_eq!(properties["sizes"]["items"]["anyOf"][0]["const"], "s");
    assert_eq!((&properties["count"]["minimum"], &properties["count"]["maximum"]), (&json!(1), &json!(9)));
    assert_eq!(properties["mail"]["format"], "email");
    assert_eq!(properties["sizes_own_words"]["type"], "string");
}

#[test]
fn what_is_filled_in_is_an_answer_to_what_was_shown() {
    let decision = asked(&json!([
        {"id": "colour", "kind": "choice", "custom": true, "options": [{"id": "r", "label": "Red"}]},
        {"id": "sizes", "kind": "choices", "custom": true, "options": [{"id": "s", "label": "S"}]},
    ]));
    let content =
        json!({"colour": "r", "sizes": ["s"], "sizes_own_words": "huge", "_comment": "soon", "unknown": 1});
    let input = filled(&decision, &json!({"action": "accept", "content": content})).unwrap();
    assert_eq!(input.digest.as_deref(), Some(decision.digest.as_str()));
    let settled = answer(&decision, input).unwrap().answer.unwrap();
    assert_eq!(Value::Object(settled.values), json!({"colour": "r", "sizes": ["s", {"text": "huge"}]}));
    assert_eq!(settled.message.as_deref(), Some("soon"));
}

#[test]
fn whoever_declines_has_decided_nothing() {
    let decision = asked(&json!([{"id": "t", "kind": "text"}]));
    for response in [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": []}),
        json!({"content": {"t": "x"}}),
        json!(null),
        json!("accept"),
    ] {
        assert_eq!(filled(&decision, &response), None, "{response}");
    }
    // What does not fit is for core to refuse.
    let wrong = filled(&decision, &json!({"action": "accept", "content": {"t": 7}})).unwrap();
    assert!(answer(&decision, wrong).is_err());
}
