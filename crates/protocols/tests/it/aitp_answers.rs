//! Answers against what was asked, row by row.

use holdpoint_core::Decision;
use holdpoint_protocols::aitp::translate::{self, Reply, lines};
use holdpoint_protocols::aitp::{Capability, Message};
use serde_json::{Value, json};

use crate::aitp_rows::{DECISIONS, asking};
use crate::through_core::{answer, ask, at};

pub(crate) fn asked(request: &Value) -> Decision {
    let read = Message::read(&request.to_string(), at(0)).unwrap();
    ask(translate::ask(&read.message, at(0)).unwrap()).unwrap()
}

/// Sends a reply; returns its outcome in a word.
fn outcome(decision: &Decision, reply: &str) -> String {
    let message = match Message::read(reply, at(0)) {
        Ok(read) => read.message,
        Err(verdict) if verdict.errors[0].message.starts_with("is not JSON") => return "words".into(),
        Err(verdict) => return format!("schema {}", verdict.errors[0].pointer),
    };
    match translate::answer(decision, &message) {
        Err(faults) => format!("refused {}", faults[0].pointer),
        Ok(taken) => {
            let settled = answer(decision, taken.input).unwrap();
            let remarks = if taken.remarks.is_empty() { "" } else { ", remarked" };
            format!("{}{remarks}", Value::Object(settled.answer.unwrap().values))
        }
    }
}

#[test]
fn decisions_answer_as_the_rows_say() {
    let radio = asking(json!({"id": "r", "options": [{"id": "a"}, {"id": "b"}]}));
    let checkbox =
        asking(json!({"id": "r", "type": "checkbox", "options": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}));
    let confirmation = asking(
        json!({"id": "r", "type": "confirmation", "options": [{"id": "1"}, {"id": "2"}, {"id": "3"}]}),
    );
    let price = json!({"type": "Quote", "quote_id": "q", "payee_id": "y", "payment_plans": [], "valid_until": "2020-01-01T00:00:00Z"});
    let products = asking(json!({"id": "r", "type": "products", "options": [
        {"id": "p1", "quote": price}, {"id": "p2", "variants": [{"id": "v1"}, {"id": "v2"}]}]}));
    let chose = |options: Value| json!({"$schema": DECISIONS, "decision": {"request_decision_id": "r", "options": options}});
    let body = |body: Value| json!({"$schema": DECISIONS, "decision": body});
    let options = "/decision/options";
    for (row, request, reply, expected) in [
        ("A1", &radio, chose(json!([{"id": "a"}])), r#"{"choice":"a"}"#.to_owned()),
        ("A2", &radio, chose(json!([])), format!("schema {options}")),
        ("A3", &radio, chose(json!([{"id": "a"}, {"id": "b"}])), format!("refused {options}")),
        ("A4", &radio, chose(json!([{"id": "z"}])), format!("refused {options}/0/id")),
        ("A5", &radio, chose(json!([{"id": "a", "name": "wrong"}])), r#"{"choice":"a"}"#.into()),
        ("A6", &radio, chose(json!([{"id": "a", "note": "x"}])), format!("schema {options}/0/note")),
        (
            "A7",
            &radio,
            body(json!({"request_decision_id": "r", "options": [{"id": "a"}], "comment": "x"})),
            r#"{"choice":"a"}"#.into(),
        ),
        ("A8", &radio, body(json!({"options": [{"id": "a"}]})), r#"{"choice":"a"}"#.into()),
        (
            "A9",
            &radio,
            body(json!({"request_decision_id": null, "options": [{"id": "a"}]})),
            "schema /decision/request_decision_id".into(),
        ),
        (
            "A10",
            &radio,
            body(json!({"request_decision_id": "other", "options": [{"id": "a"}]})),
            "refused /decision/request_decision_id".into(),
        ),
        ("A12", &checkbox, chose(json!([{"id": "c"}, {"id": "a"}])), r#"{"choice":["c","a"]}"#.into()),
        ("A13", &checkbox, chose(json!([{"id": "a"}, {"id": "a"}])), format!("refused {options}/1/id")),
        ("A14", &checkbox, chose(json!([])), format!("schema {options}")),
        ("A15", &confirmation, chose(json!([{"id": "3"}])), r#"{"choice":"3"}"#.into()),
        ("A16", &confirmation, chose(json!([{"id": "yes"}])), format!("refused {options}/0/id")),
        (
            "A17",
            &products,
            chose(json!([{"id": "v1", "quantity": 2}])),
            r#"{"choice":[{"id":"v1","quantity":2}]}"#.into(),
        ),
        ("A18", &products, chose(json!([{"id": "p1"}])), r#"{"choice":[{"id":"p1","quantity":1}]}"#.into()),
        (
            "A19",
            &products,
            chose(json!([{"id": "p1", "quantity": 0}])),
            format!("refused {options}/0/quantity"),
        ),
        (
            "A20",
            &products,
            chose(json!([{"id": "p1", "quantity": 1.5}])),
            format!("refused {options}/0/quantity"),
        ),
        (
            "A20",
            &products,
            chose(json!([{"id": "p1", "quantity": -1}])),
            format!("refused {options}/0/quantity"),
        ),
        (
            "A21",
            &products,
            chose(json!([{"id": "p1", "quantity": "2"}])),
            format!("schema {options}/0/quantity"),
        ),
        (
            "A22",
            &products,
            chose(json!([{"id": "p1", "quantity": 1}])),
            r#"{"choice":[{"id":"p1","quantity":1}]}"#.into(),
        ),
        ("A23", &radio, chose(json!([{"id": "a", "quantity": 3}])), r#"{"choice":"a"}, remarked"#.into()),
    ] {
        assert_eq!(outcome(&asked(request), &reply.to_string()), expected, "{row}: {reply}");
    }
    assert_eq!(outcome(&asked(&radio), "The first one, please"), "words", "A31");
    assert_eq!(
        outcome(&asked(&radio), &json!({"$schema": "x", "data": {"fields": [{"id": "a"}]}}).to_string()),
        "refused "
    );
    // A11: the first answer wins; the same again is a replay.
    let first = answer(&asked(&radio), taken(&asked(&radio), &chose(json!([{"id": "a"}])))).unwrap();
    let second = answer(&first, taken(&first, &chose(json!([{"id": "b"}])))).unwrap_err();
    assert!(second.to_string().contains("already answered"), "{second}");
    // A22: chosen, and not to be paid.
    let settled = answer(&asked(&products), taken(&asked(&products), &chose(json!([{"id": "p1"}])))).unwrap();
    let late = "2026-01-01T00:00:00Z".parse().unwrap();
    let settled = Decision { settled_at: Some(late), ..settled };
    let Some(Reply::Message(reply, left_out)) = translate::reply(&settled, late) else {
        unreachable!("it was answered")
    };
    let bought = reply.to_value().unwrap();
    assert_eq!(bought["decision"]["options"], json!([{"id": "p1", "name": "p1"}]), "nothing is bought");
    // A variant without a price of its own has that of its product.
    let late_product = asking(json!({"id": "r", "type": "products", "options": [
        {"id": "p", "quote": price, "variants": [{"id": "v"}, {"id": "w", "quote": {"type": "Quote", "quote_id": "q2",
            "payee_id": "y", "payment_plans": [], "valid_until": "2050-01-01T00:00:00Z"}}]}]}));
    let both = taken(&asked(&late_product), &chose(json!([{"id": "v"}, {"id": "w"}])));
    let settled = Decision { settled_at: Some(late), ..answer(&asked(&late_product), both).unwrap() };
    assert_eq!(translate::expired(&settled, late), ["v"]);
    assert_eq!(left_out, ["that the quote of p1 has expired: it was chosen, and cannot be paid"]);
}

fn taken(decision: &Decision, reply: &Value) -> holdpoint_core::decision::AnswerInput {
    let message = Message::read(&reply.to_string(), at(0)).unwrap().message;
    translate::answer(decision, &message).unwrap().input
}

#[test]
fn data_answers_as_the_rows_say() {
    let schema = Capability::DataRequest.schema();
    let request = json!({"$schema": schema, "request_data": {"id": "d", "description": "Who?", "form": {"fields": [
        {"id": "name", "required": true},
        {"id": "mail", "type": "email"},
        {"id": "size", "type": "select", "options": ["S", "M"]},
        {"id": "colour", "type": "combobox", "options": ["Red"]},
        {"id": "age", "type": "number"}]}}});
    let decision = asked(&request);
    let with = |fields: Value| {
        let mut all = vec![json!({"id": "name", "value": "Ana"})];
        all.extend(fields.as_array().unwrap().iter().cloned());
        json!({"$schema": schema, "data": {"request_data_id": "d", "fields": all}})
    };
    let only = |fields: Value| json!({"$schema": schema, "data": {"request_data_id": "d", "fields": fields}});
    let second = "/data/fields/1/value";
    for (row, reply, expected) in [
        ("A24", with(json!([{"id": "age", "value": 1}])), format!("schema {second}")),
        ("A24", with(json!([{"id": "age", "value": null}])), format!("schema {second}")),
        ("A25", only(json!([])), "schema /data/fields".into()),
        ("A26", only(json!([{"id": "mail", "value": ""}])), "refused /data/fields".into()),
        ("A26", only(json!([{"id": "name", "value": "  "}])), "refused /data/fields/0/value".into()),
        ("A27", with(json!([{"id": "size", "value": "XL"}])), format!("refused {second}")),
        (
            "A27",
            with(json!([{"id": "colour", "value": "Teal"}])),
            r#"{"colour":{"text":"Teal"},"name":"Ana"}"#.into(),
        ),
        ("A28", with(json!([{"id": "mail", "value": "x@y"}])), format!("refused {second}")),
        ("A29", with(json!([{"id": "shoe", "value": "42"}])), r#"{"name":"Ana"}, remarked"#.into()),
        ("A30", with(json!([{"id": "mail"}])), r#"{"name":"Ana"}"#.into()),
        (
            "typed",
            with(json!([{"id": "age", "value": "7"}, {"id": "size", "value": "M"}])),
            r#"{"age":7,"name":"Ana","size":"M"}"#.into(),
        ),
        ("typed", with(json!([{"id": "age", "value": "old"}])), format!("refused {second}")),
    ] {
        assert_eq!(outcome(&decision, &reply.to_string()), expected, "{row}: {reply}");
    }
    let message =
        Message::read(&only(json!([{"id": "mail", "value": "x@y"}])).to_string(), at(0)).unwrap().message;
    let faults = translate::answer(&decision, &message).unwrap_err();
    let expected = "/data/fields/0/value: \"x@y\" is not an e-mail address like ana@example.org\n\
        /data/fields: \"name\" is missing and must be filled in";
    assert_eq!(lines(&faults), expected);
}
