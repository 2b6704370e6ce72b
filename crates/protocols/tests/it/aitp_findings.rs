//! What is found in messages beside whether they satisfy their schema: old addresses, places, and what no schema can say.

use holdpoint_protocols::aitp::{Body, Capability, Layer, Message, validate};
use serde_json::{Value, json};

use crate::aitp_rows::{DECISIONS, asking, judge, under};
use crate::through_core::at;

#[test]
fn every_address_a_capability_has_had_is_known() {
    let body = json!({"id": "1", "options": [{"id": "a"}]});
    for schema in [
        "https://aitp.dev/v1/requests.schema.json",
        "https://aitp.dev/v1/decision/schema.json",
        "https://aitp.dev/v1/decisions/schema.json",
        "https://aitp.dev/capabilities/aitp-02-decisions/v1.0.0/schema.json",
    ] {
        let verdict = judge(&json!({"$schema": schema, "request_decision": body}));
        assert_eq!(
            (verdict.capability, verdict.message),
            (Some(Capability::Decisions), Some("request_decision")),
            "{schema}"
        );
        assert_eq!(verdict.warnings, []);
    }
    for schema in ["https://aitp.dev/v1/data.schema.json", "https://aitp.dev/v1/data/schema.json"] {
        assert!(!judge(&json!({"$schema": schema, "request_decision": body})).valid, "{schema} decides");
        let verdict = judge(&json!({"$schema": schema, "data": {"fields": [{"id": "a"}]}}));
        assert_eq!((verdict.valid, verdict.capability), (true, Some(Capability::DataRequest)), "{schema}");
    }
    let quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "y", "payment_plans": [{"plan_id": "p", "plan_type": "one-time", "amount": 1, "currency": "USD"}], "valid_until": "2050-01-01T00:00:00Z"});
    for schema in [
        "https://aitp.dev/v1/payments.schema.json",
        "https://aitp.dev/v1/payment/schema.json",
        "https://aitp.dev/v1/payments/schema.json",
        "https://aitp.dev/capabilities/aitp-04-transactions/v1.0.0/schema.json",
        "https://schema.aitp.dev/capabilities/aitp-04-transactions/v1.0.0/schema.json",
    ] {
        let message = json!({"$schema": schema, "quote": quote}).to_string();
        let read = Message::read(&message, at(0)).unwrap();
        assert!(
            matches!(read.message.body, Body::LegacyQuote(_)) && read.remarks.is_empty(),
            "{schema}: {read:?}"
        );
    }
    let version = judge(
        &json!({"$schema": "https://aitp.dev/capabilities/aitp-02-decisions/v2.0.0/schema.json", "request_decision": body}),
    );
    assert!(version.valid && version.warnings[0].message.contains("version 2"), "{version:?}");
    assert_eq!(judge(&json!({"$schema": "x", "request_decision": body})).warnings[0].pointer, "/$schema");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let message =
        asking(json!({"id": 1, "options": [{"id": "a", "five_star_rating": 9}, {"name": "b"}], "a/b~c": 1}));
    let said: Vec<(String, String)> =
        judge(&message).errors.into_iter().map(|error| (error.pointer, error.message)).collect();
    let expected = [
        ("/request_decision/id", "a number must be a string"),
        ("/request_decision/options/0/five_star_rating", "a number must be a number from 0 to 5"),
        ("/request_decision/options/1", "\"id\" is missing; it must be a string"),
    ];
    assert_eq!(said, expected.map(|(pointer, message)| (pointer.to_owned(), message.to_owned())));
    let extra = json!({"$schema": Capability::NearWallet.schema(), "request_account": {"request_id": "r", "a/b~c": 1}});
    assert_eq!(judge(&extra).errors[0].pointer, "/request_account/a~1b~0c");
    assert!(
        validate("{\"a\":", at(0)).errors[0]
            .message
            .starts_with("is not JSON: the text ends too early at byte 5")
    );
}

#[test]
fn the_second_layer_speaks_where_no_schema_can() {
    let option = |option: Value| asking(json!({"id": "1", "options": [option]}));
    let quote = |until: &str, amount: f64| {
        let plan = json!({"plan_id": "p", "plan_type": "one-time", "amount": amount, "currency": "USD"});
        json!({"id": "a", "quote": {"type": "Quote", "quote_id": "q", "payee_id": "y", "payment_plans": [plan], "valid_until": until}})
    };
    let form = |form: Value| {
        under(Capability::DataRequest, "request_data", json!({"id": "1", "description": "d", "form": form}))
    };
    let chose = |options: Value| json!({"$schema": DECISIONS, "decision": {"options": options}});
    let first = "/request_decision/options/0";
    for (message, pointer) in [
        (
            asking(json!({"id": "1", "options": [{"id": "a", "variants": [{"id": "b"}]}, {"id": "b"}]})),
            "/request_decision/options/1/id".to_owned(),
        ),
        (option(json!({"id": ""})), format!("{first}/id")),
        (option(json!({"id": "a", "image_url": "http://x.example/a.png"})), format!("{first}/image_url")),
        (option(json!({"id": "a", "url": "javascript:alert(1)"})), format!("{first}/url")),
        (option(quote("2020-01-01T00:00:00Z", 1.0)), format!("{first}/quote/valid_until")),
        (option(quote("tomorrow", 1.0)), format!("{first}/quote/valid_until")),
        (option(quote("2050-01-01T00:00:00Z", -1.0)), format!("{first}/quote/payment_plans/0/amount")),
        (chose(json!([{"id": "a", "quantity": 0}])), "/decision/options/0/quantity".into()),
        (chose(json!([{"id": "a", "quantity": 1.5}])), "/decision/options/0/quantity".into()),
        (chose(json!([{"id": "a"}, {"id": "a"}])), "/decision/options/1/id".into()),
        (form(json!({})), "/request_data/form".into()),
        (form(json!({"json_url": "http://x.example/f"})), "/request_data/form/json_url".into()),
        (form(json!({"fields": [{"id": "a"}, {"id": "a"}]})), "/request_data/form/fields/1/id".into()),
        (form(json!({"fields": [{"id": "a", "type": "select"}]})), "/request_data/form/fields/0".into()),
        (
            form(json!({"fields": [{"id": "a", "type": "number", "default_value": "x"}]})),
            "/request_data/form/fields/0/default_value".into(),
        ),
        (
            form(json!({"fields": [{"id": "a", "type": "email", "default_value": "x@y"}]})),
            "/request_data/form/fields/0/default_value".into(),
        ),
    ] {
        let verdict = judge(&message);
        assert!(verdict.valid, "{message}");
        let said: Vec<_> = verdict.errors.iter().map(|error| (error.layer, error.pointer.clone())).collect();
        assert_eq!(said, [(Layer::Semantic, pointer)], "{message}");
    }
    let secret = asking(
        json!({"id": "1", "description": "Mail it to ana@example.org?", "options": [{"id": "sk-abcdefghijklmnop1234"}]}),
    );
    let warned: Vec<String> = judge(&secret).warnings.into_iter().map(|warning| warning.pointer).collect();
    assert_eq!(warned, ["/request_decision/description", "/request_decision/options/0/id"]);
    assert_eq!(judge(&secret).errors, []);
}
